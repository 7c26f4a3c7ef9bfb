// The program `tesseract` beside the built-in engine. Programs that fail are shell scripts; the real one is used where it is installed.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { findProgram } from '../../../../server/adapters/extract/native-ocr/find.ts';
import {
  createOcrProgram,
  type OcrProgram,
  type PageOfJob,
} from '../../../../server/adapters/extract/native-ocr/program.ts';
import { languageFiles } from '../../../../server/adapters/extract/ocr/languages.ts';
import { permissionOptions } from '../../../../server/adapters/extract/process/permissions.ts';
import { pixelFile } from '../../../../server/adapters/extract/protocol.ts';
import { characterErrorRate } from '../fixtures/error-rate.ts';
import { textOf } from '../fixtures/joined.ts';
import { pdf } from '../fixtures/pdf.ts';
import { openReader } from '../fixtures/reader.ts';

const folder = mkdtempSync(join(tmpdir(), 'memoir-program-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let logged: string[] = [];
beforeEach(() => {
  logged = [];
});
const log = { warn: (_: object, message: string): void => void logged.push(message) };

const samples = join(import.meta.dirname, '../../../fixtures/samples');
const truth = readFileSync(join(samples, 'truth/label.txt'), 'utf8');
const scan = join(folder, 'scan.pdf');
writeFileSync(scan, pdf([{ lines: [], picture: readFileSync(join(samples, 'img/label16px.png')) }]));

const installed = await findProgram(undefined, log);
const onUnix = describe.skipIf(process.platform === 'win32');

/** A program that knows English; it does this when it is handed a page. */
function script(name: string, page: string): string {
  const file = join(folder, name);
  writeFileSync(
    file,
    `#!/bin/sh\nif [ "$1" = --list-langs ]; then echo 'Languages:'; echo eng; exit 0; fi\n${page}\n`,
  );
  chmodSync(file, 0o755);
  return file;
}

const words =
  'level\\tpage_num\\tblock_num\\tpar_num\\tline_num\\tword_num\\tleft\\ttop\\twidth\\theight\\tconf\\ttext';
const row = (word: string): string => `5\\t1\\t1\\t1\\t1\\t1\\t0\\t0\\t9\\t9\\t95\\t${word}`;

/** A page of four pixels, as the child process hands it out. */
function page(withinMs = 60_000, over: Partial<PageOfJob['asked']> = {}): PageOfJob {
  const asked = { page: 1, width: 2, height: 2, withinMs, ...over };
  writeFileSync(join(folder, pixelFile(1)), Buffer.from([0, 255, 255, 0]));
  const signal = new AbortController().signal;
  return { asked, scratch: folder, languages: ['eng'], residentMb: 1_000, signal };
}

const open = (file: string): OcrProgram => createOcrProgram({ path: file, log });

onUnix('a program that recognises pages', () => {
  it('gets the pixels behind a header, a fixed list of arguments and one thread', async () => {
    const told = join(folder, 'told');
    const file = script(
      'telling',
      `cat > ${told}; echo "$@" $OMP_THREAD_LIMIT > ${told}.arguments; printf '${words}\\n${row('Harbour')}\\n'`,
    );
    expect(await open(file).recognise(page())).toEqual({ text: 'Harbour', confidence: 95 });
    const header = Buffer.from('P5\n2 2\n255\n');
    expect(readFileSync(told)).toEqual(Buffer.concat([header, Buffer.from([0, 255, 255, 0])]));
    expect(readFileSync(`${told}.arguments`, 'utf8')).toBe('stdin stdout -l eng --oem 1 --psm 3 tsv 1\n');
    expect(existsSync(join(folder, pixelFile(1)))).toBe(false);
  });

  it('is ended at the time of the page, and the log says so', async () => {
    const program = open(script('hanging', 'exec sleep 600'));
    expect(await program.recognise(page(50))).toBeNull();
    expect(logged).toEqual([
      'The program tesseract could not read a page: It took longer than 1 seconds. The built-in engine reads this page.',
    ]);
  });

  it('is ended with its job, which is no failure', async () => {
    const program = open(script('ended', 'exec sleep 600'));
    const stop = new AbortController();
    const reading = program.recognise({ ...page(), signal: stop.signal });
    stop.abort();
    expect(await reading).toBeNull();
    expect(logged).toEqual([]);
  });

  it('is left alone after it failed three times in a row', async () => {
    const program = open(script('failing', 'exit 3'));
    expect(await program.knows(['eng'])).toBe(true);
    for (let i = 0; i < 3; i++) expect(await program.recognise(page())).toBeNull();
    expect(await program.knows(['eng'])).toBe(false);
    expect(logged.at(-1)).toMatch(
      /It ended with 3\. The built-in engine reads all pages until the next start\.$/,
    );
    expect(logged).toHaveLength(3);
  });

  it('has failed when it writes something else than a table of words', async () => {
    expect(await open(script('chatting', 'echo Hello')).recognise(page())).toBeNull();
    expect(logged[0]).toContain('It wrote no table of words.');
  });

  it('is not started with a picture that is not as large as declared, and not with another file', async () => {
    const started = join(folder, 'started');
    const program = open(script('never', `touch ${started}`));
    expect(await program.recognise(page(1_000, { width: 3 }))).toBeNull();
    expect(await program.recognise(page(1_000, { width: 20_000, height: 20_000 }))).toBeNull();
    const linked = page();
    rmSync(join(folder, pixelFile(1)));
    writeFileSync(join(folder, 'secret'), 'four');
    symlinkSync(join(folder, 'secret'), join(folder, pixelFile(1)));
    expect(await program.recognise(linked)).toBeNull();
    expect(logged).toHaveLength(3);
    expect(existsSync(started)).toBe(false);
  });

  it('serves the languages that it knows', async () => {
    const program = open(script('english', 'exit 1'));
    expect(await program.knows(undefined)).toBe(true);
    expect(await program.knows(['eng', 'deu'])).toBe(false);
  });

  it('may be missing: a path that was set and does not answer is logged', async () => {
    expect(await open(join(folder, 'nothing')).knows(['eng'])).toBe(false);
    expect(logged).toEqual([expect.stringMatching(/nothing does not answer, so the built-in engine/)]);
    expect(await createOcrProgram({ path: 'none', log }).knows(['eng'])).toBe(false);
  });

  it('leaves the page to the built-in engine when it crashes', async () => {
    const reader = openReader({ log, ocr: { program: script('crashing', 'kill -SEGV $$') } });
    const { parts } = await reader.read({ file: scan });
    expect(characterErrorRate(textOf(parts), truth)).toBeLessThan(0.02);
    expect(logged).toEqual([
      expect.stringContaining('It ended with SIGSEGV. The built-in engine reads this page.'),
    ]);
  }, 60_000);
});

describe('a language that is installed as a model', () => {
  it('is read by the child process, which may read nothing else of that folder', async () => {
    const models = join(folder, 'models');
    mkdirSync(join(models, 'ocr-abc'), { recursive: true });
    const [english] = languageFiles(['eng']);
    writeFileSync(join(models, 'ocr-abc', 'abc.traineddata'), gunzipSync(readFileSync(english?.file ?? '')));
    const reader = openReader({ log, ocr: { program: 'none', models } });
    const { parts } = await reader.read({ file: scan, languages: ['abc'] });
    expect(characterErrorRate(textOf(parts), truth)).toBeLessThan(0.02);
    expect(permissionOptions({ input: '/in', output: '/out', models })).toContain(
      `--allow-fs-read=${join(models, 'ocr-*')}`,
    );
  }, 60_000);
});

describe.skipIf(installed === null)('the tesseract that is installed on this machine', () => {
  it('reads a scanned page', async () => {
    const reader = openReader({ log, ocr: { program: installed?.file } });
    const { parts } = await reader.read({ file: scan });
    expect(characterErrorRate(textOf(parts), truth)).toBeLessThan(0.02);
    expect(logged).toEqual([]);
  }, 60_000);
});
