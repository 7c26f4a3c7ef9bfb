// `npm run test:fuzz`: damaged files of every kind, the same each time. Nothing may crash, hang, or fail without saying why.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createExtractor } from '../../server/adapters/extract/extractor.ts';
import type { ContentHints, ContentReader } from '../../server/adapters/extract/port.ts';
import { createTranscriber } from '../../server/adapters/transcribe/transcriber.ts';
import { IngestError } from '../../server/core/errors.ts';
import { startTranscriber } from '../adapters/transcribe/fixtures/transcription-service.ts';
import { mutateBytes, mutateParts, unpack } from './mutate.ts';
import { createRandom, type Random } from './random.ts';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    /** Some of the names below, with commas between them. */
    only: { type: 'string' },
  },
});

const LIMITS = { timeoutMs: 10_000, documentMs: 10_000, ocrMs: 20_000, heapMb: 768, residentMb: 1_200 };
/** A start of the child and a second try come on top of the limit. */
const LONGEST_MS = 2 * LIMITS.ocrMs + 10_000;

const small = join(import.meta.dirname, '..', 'fixtures', 'samples');
const large = process.env.MEMOIR_SAMPLES ?? join(import.meta.dirname, '../../../shared/samples');

/** Where only the larger set of samples holds one, it is left out without that. */
const SOURCES: Readonly<Record<string, readonly [file: string, hints?: ContentHints]>> = {
  html: ['html/article.html'],
  text: ['text/enc-ja-shift_jis.txt'],
  csv: ['csv/plain.csv', { fileName: 'a.csv' }],
  json: ['conv/messages.json'],
  vtt: ['conv/meeting.vtt'],
  srt: ['conv/meeting.srt'],
  pdf: ['pdf/uni.pdf'],
  doc: ['office/table.doc'],
  docx: ['office/rich.docx'],
  pptx: ['office/slides.pptx'],
  xlsx: ['office/book.xlsx'],
  rtf: ['office/base.rtf'],
  epub: ['office/base.epub'],
  odt: ['office/base.odt'],
  odp: ['office/slides.odp'],
  ods: ['office/book.ods'],
  fods: ['office/book.fods'],
  png: ['img/label16px.png'],
  gif: ['img/anim.gif'],
  webm: ['av/flite.webm'],
  mp3: ['av/flite.mp3'],
  mp4: ['av/talk.mp4'],
  mkv: ['av/speech.mkv'],
  m4a: ['av/flite.m4a'],
  ogg: ['av/speech.ogg'],
  flac: ['av/speech.flac'],
  wav: ['av/flite.wav'],
};

interface Tally {
  readonly codes: Map<string, number>;
  slowestMs: number;
  readonly problems: string[];
}

const say = (text: string): boolean => process.stdout.write(`${text}\n`);

const pathOf = (file: string): string | undefined =>
  [small, large].map((folder) => join(folder, file)).find((path) => existsSync(path));

async function maker(path: string): Promise<(random: Random) => Buffer> {
  const bytes = readFileSync(path);
  if (bytes.toString('latin1', 0, 2) !== 'PK') return (random) => mutateBytes(bytes, random);
  const parts = await unpack(bytes);
  return (random) => (random.below(2) === 0 ? mutateBytes(bytes, random) : mutateParts(parts, random));
}

async function codeOf(reader: ContentReader, file: string, hints: ContentHints): Promise<string> {
  try {
    await reader.read({ file, ...hints });
    return 'read';
  } catch (error) {
    if (error instanceof IngestError) return error.code;
    return `untyped: ${String(error)}`;
  }
}

/** What must not happen, whatever the file. */
function problemOf(code: string, ms: number): string | undefined {
  if (code.startsWith('untyped') || code === 'extraction_failed') return code;
  return ms > LONGEST_MS ? `took ${Math.round(ms / 1_000)} s` : undefined;
}

async function fuzz(name: string, reader: ContentReader, folder: string): Promise<Tally> {
  const [source = '', own = {}] = SOURCES[name] ?? [];
  const make = await maker(pathOf(source) ?? '');
  const tally: Tally = { codes: new Map(), slowestMs: 0, problems: [] };
  for (let number = 1; number <= Number(values.files); number++) {
    const file = join(folder, `${name}-${number}`);
    writeFileSync(file, make(createRandom(Number(values.seed) * 1_000_003 + number)));
    const began = performance.now();
    const code = await codeOf(reader, file, own);
    const ms = performance.now() - began;
    tally.codes.set(code, (tally.codes.get(code) ?? 0) + 1);
    tally.slowestMs = Math.max(tally.slowestMs, ms);
    const problem = problemOf(code, ms);
    if (problem === undefined) rmSync(file);
    else tally.problems.push(`${file}: ${problem}`);
  }
  return tally;
}

const transcriber = await startTranscriber();
const transcription = createTranscriber({ model: 'fuzz', baseUrl: transcriber.baseUrl });
const folder = mkdtempSync(join(tmpdir(), 'memoir-fuzz-'));
const causes = new Set<string>();
const log = {
  warn(details: object, message: string) {
    const { code, cause } = details as { code?: string; cause?: unknown };
    if (code === 'extraction_failed') causes.add(`${message} ${cause instanceof Error ? cause.message : ''}`);
  },
};
const reader = createExtractor({ limits: LIMITS, children: 1, log, transcriber: transcription });
const wanted = values.only?.split(',') ?? Object.keys(SOURCES);
const problems: string[] = [];
say(`${values.files} files of each kind, seed ${values.seed}.`);
for (const name of wanted) {
  if (pathOf(SOURCES[name]?.[0] ?? 'nothing') === undefined) {
    say(`${name.padEnd(6)} left out: there is no sample of it here.`);
    continue;
  }
  const tally = await fuzz(name, reader, folder);
  const counted = [...tally.codes].sort(([, a], [, b]) => b - a).map(([code, count]) => `${code} ${count}`);
  say(
    `${name.padEnd(6)} slowest ${String(Math.round(tally.slowestMs)).padStart(6)} ms   ${counted.join(', ')}`,
  );
  problems.push(...tally.problems);
}
await reader.close();
transcriber.close();
for (const cause of causes) say(`A parser gave up: ${cause}`);
for (const problem of problems) say(`Problem: ${problem}`);
if (problems.length === 0) rmSync(folder, { recursive: true, force: true });
say(
  problems.length === 0
    ? 'Nothing crashed, hung or failed without a reason.'
    : `${problems.length} problems.`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
