// Every sample file, through the child process: what becomes of it, and how much of its text is read wrongly.
import { fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { characterErrorRate } from './fixtures/error-rate.ts';
import type { Report } from './fixtures/read-samples.ts';

interface Expected {
  readonly status: 'done' | 'failed';
  readonly code?: string;
  readonly truth?: string;
  readonly cer?: number;
}

/** Read better than when the samples were chosen, and why. */
const BETTER: Readonly<Record<string, Partial<Expected>>> = {
  // Its charset was not recognised then.
  'text/enc-ja-iso-2022-jp.txt': { truth: 'encodings.json', cer: 0 },
  'text/encshort-ja-iso-2022-jp.txt': { truth: 'encodings.json', cer: 0 },
  // RTF was not read then.
  'office/base.rtf': { status: 'done', code: 'done', truth: 'base.txt', cer: 0.01 },
  // Its euro sign was taken for another.
  'text/enc-fr-iso-8859-15.txt': { cer: 0 },
};
const WORSE_BY_AT_MOST = 0.002;
const MINUTES = 60_000;

const small = join(import.meta.dirname, '..', '..', 'fixtures', 'samples');
const large = process.env.MEMOIR_SAMPLES ?? join(import.meta.dirname, '../../../../shared/samples');

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

/** The true text of a file. */
function truthsOf(folder: string): (file: string, named: string) => string {
  const encodings = readJson(join(folder, 'truth', 'encodings.json')) as { file: string; text: string }[];
  const byFile = new Map(encodings.map(({ file, text }) => [file, text]));
  return (file, named) =>
    named === 'encodings.json'
      ? (byFile.get(file) ?? '')
      : readFileSync(join(folder, 'truth', named), 'utf8');
}

function readSamples(folder: string, files: readonly string[]): Promise<Report> {
  const script = fileURLToPath(new URL('./fixtures/read-samples.ts', import.meta.url));
  const child = fork(script, [folder, ...files], { execArgv: [], serialization: 'advanced' });
  return new Promise((resolve, reject) => {
    child.once('message', (report) => resolve(report as Report));
    child.once('exit', (code) => reject(new Error(`Reading the samples ended with ${code}.`)));
  });
}

type Samples = Readonly<Record<string, Expected>>;

const samplesOf = (folder: string): Samples => readJson(join(folder, 'expected.json')) as Samples;

function samples(folder: string, files: readonly (readonly [string, Expected])[], withinMs: number): void {
  let report: Report;
  beforeAll(async () => {
    report = await readSamples(
      folder,
      files.map(([file]) => file),
    );
  }, withinMs);

  const truthOf = truthsOf(folder);
  it.each(files)('include %s, which is read as expected', (file, given) => {
    const expected = { ...given, ...BETTER[file] };
    const { code, text } = report.outcomes[file] ?? {};
    expect(code).toBe(expected.code ?? 'done');
    if (expected.truth === undefined || expected.cer === undefined) return;
    const rate = characterErrorRate(text ?? '', truthOf(file, expected.truth));
    expect(rate).toBeLessThanOrEqual(expected.cer + WORSE_BY_AT_MOST);
  });

  it('leave the process that sends them almost as small as it was', () => {
    expect(report.grownMb).toBeLessThan(100);
  });
}

// The large folder is optional: MEMOIR_SAMPLES names it, or it lies beside the project. It holds most of the small samples.
const largeSamples = existsSync(join(large, 'expected.json')) ? samplesOf(large) : {};
const others = Object.entries(samplesOf(small)).filter(([file]) => !(file in largeSamples));

describe('the small samples', () => samples(small, others, 2 * MINUTES));

if (Object.keys(largeSamples).length > 0)
  describe('all samples', () => samples(large, Object.entries(largeSamples), 5 * MINUTES));
