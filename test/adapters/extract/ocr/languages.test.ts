import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { languageFiles, languageFolder } from '../../../../server/adapters/extract/ocr/languages.ts';
import { readJob } from '../fixtures/in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'memoir-languages-'));
const label = join(import.meta.dirname, '../../../fixtures/samples/img/label16px.png');
const from = process.cwd();

/** The data of another language, installed where the server was started: English under another name. */
function install(language: string): void {
  const home = join(folder, 'node_modules/@tesseract.js-data', language);
  mkdirSync(join(home, '4.0.0_best_int'), { recursive: true });
  writeFileSync(join(home, 'package.json'), '{}');
  const [english] = languageFiles(['eng']);
  copyFileSync(english?.file ?? '', join(home, '4.0.0_best_int', `${language}.traineddata.gz`));
}

beforeAll(() => {
  install('xyz');
  process.chdir(folder);
});
afterAll(() => {
  process.chdir(from);
  rmSync(folder, { recursive: true, force: true });
});

describe('the languages of OCR', () => {
  it('are English by default', () => {
    expect(languageFiles([]).map(({ language }) => language)).toEqual(['eng']);
    expect(languageFiles(['eng', 'eng'])).toHaveLength(1);
  });

  it('are refused with the name of the package when they are not installed', () => {
    expect(() => languageFiles(['eng', 'chi_sim'])).toThrow(
      expect.objectContaining({
        code: 'ocr_language_missing',
        message: expect.stringMatching(
          /"chi_sim".*memoir models add ocr:chi_sim.*npm install @tesseract\.js-data\/chi_sim.*MEMOIR_OCR_LANGUAGES/,
        ),
      }),
    );
  });

  it('are refused when they are not language names', () => {
    for (const name of ['../../etc', 'English', '', 'eng/../eng', 'a'.repeat(500)])
      expect(() => languageFiles([name])).toThrow(expect.objectContaining({ code: 'ocr_language_missing' }));
    expect(() => languageFiles('abcdefghi'.split('').map((letter) => letter.repeat(3)))).toThrow(/at most 8/);
  });

  it('may be several, also from the folder where the server was started, and are copied into one folder', async () => {
    const files = languageFiles(['eng', 'xyz']);
    const both = await languageFolder(files, async () => folder);
    expect(readdirSync(both)).toEqual(['eng.traineddata.gz', 'xyz.traineddata.gz']);
    expect(dirname(languageFiles(['eng'])[0]?.file ?? '')).toBe(
      await languageFolder(languageFiles(['eng']), fail),
    );
  });

  it('are recognised together', async () => {
    const { parts } = await readJob(
      { file: label, languages: ['eng', 'xyz'] },
      { scratch: join(folder, 'scratch') },
    );
    expect(parts[0]?.text).toContain('Tuesday 14 July');
    const again = await readJob({ file: label, languages: ['eng'] }, { scratch: join(folder, 'scratch') });
    expect(again.parts[0]?.text).toContain('Tuesday 14 July');
  }, 60_000);

  it('may be installed as models, which the engine reads unpacked', async () => {
    const models = join(folder, 'models');
    mkdirSync(join(models, 'ocr-abc'), { recursive: true });
    const [english] = languageFiles(['eng']);
    const data = gunzipSync(readFileSync(english?.file ?? ''));
    writeFileSync(join(models, 'ocr-abc', 'abc.traineddata'), data);
    const { parts } = await readJob(
      { file: label, languages: ['abc'] },
      { scratch: join(folder, 'scratch'), models },
    );
    expect(parts[0]?.text).toContain('Tuesday 14 July');
  }, 60_000);

  it('fail a picture when they are missing, and no file that needs no OCR', async () => {
    await expect(readJob({ file: label, languages: ['deu'] })).rejects.toMatchObject({
      code: 'ocr_language_missing',
    });
    expect((await readJob({ text: 'Hello.', languages: ['deu'] })).parts).toHaveLength(1);
  });
});

const fail = (): Promise<string> => Promise.reject(new Error('One language needs no folder.'));
