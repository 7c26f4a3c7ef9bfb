// The data of the languages that OCR recognises: English is brought along, and the owner installs others, as models or as npm packages.
import { existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IngestError } from '../../../core/errors.ts';
import { pathOfLanguage } from '../../../lib/models/language-folder.ts';
import { failure } from '../failures.ts';

export const DEFAULT_LANGUAGES: readonly string[] = ['eng'];

/** tessdata_fast 4.1.0 of the Tesseract project, under Apache-2.0: its network is a fourth of that of the packages. */
const BROUGHT_ALONG = fileURLToPath(new URL('data', import.meta.url));
/** The only data of the packages without the part for an older engine. */
const MODEL = '4.0.0_best_int';
const NAME = /^[a-z]{3}(?:_[a-z]{2,8}){0,2}$/;
export const MOST_LANGUAGES = 8;
const PACKED = '.traineddata.gz';

export interface LanguageFile {
  readonly language: string;
  readonly file: string;
}

/** Fails on the first missing language and names its package. */
export const languageFiles = (languages: readonly string[], models: string | null = null): LanguageFile[] => {
  const wanted = [...new Set(languages.length === 0 ? DEFAULT_LANGUAGES : languages)];
  if (wanted.length > MOST_LANGUAGES)
    throw failure('ocr_language_missing', {
      what: `Text is recognised in at most ${MOST_LANGUAGES} languages at once, and ${wanted.length} are set.`,
      next: 'Take some out of MEMOIR_OCR_LANGUAGES and send this again.',
    });
  return wanted.map((language) => ({
    language,
    file: languageFile(language, models) ?? refuseLanguage(language),
  }));
};

/** Looks in what is brought along, then in the installed models, then in the packages of this one, then in those of the folder where the server was started. */
const languageFile = (language: string, models: string | null): string | null => {
  if (!NAME.test(language)) return null;
  const own = join(BROUGHT_ALONG, language + PACKED);
  if (existsSync(own)) return own;
  const installed = models === null ? null : pathOfLanguage(models, language);
  if (installed !== null && existsSync(installed)) return installed;
  for (const from of [import.meta.url, join(process.cwd(), 'package.json')]) {
    try {
      const manifest = createRequire(from).resolve(`@tesseract.js-data/${language}/package.json`);
      const file = join(dirname(manifest), MODEL, `${language}.traineddata.gz`);
      if (existsSync(file)) return file;
    } catch {
      // The next folder may have it.
    }
  }
  return null;
};

const refuseLanguage = (language: string): never => {
  throw missingLanguage(language);
};

const missingLanguage = (language: string): IngestError => {
  const known = NAME.test(language);
  return failure('ocr_language_missing', {
    what: known
      ? `The data to recognise text in "${language}" is not installed.`
      : `"${language.slice(0, 40)}" is not the name of a language as in "eng", "deu" or "chi_sim".`,
    next: known
      ? `Install it with "memoir models add ocr:${language}" or "npm install @tesseract.js-data/${language}", or take it out of MEMOIR_OCR_LANGUAGES, then send this again.`
      : 'Correct MEMOIR_OCR_LANGUAGES and send this again.',
  });
};

/** One folder with all the files, because the engine takes only one. Several files are copied to the `spare` folder. */
export const languageFolder = async (
  files: readonly LanguageFile[],
  spare: () => Promise<string>,
): Promise<string> => {
  const [only, ...others] = files;
  // The engine unpacks a file only if it is packed, whatever its name.
  if (only?.file.endsWith(PACKED) && others.length === 0) return dirname(only.file);
  const folder = join(await spare(), 'languages');
  await mkdir(folder, { recursive: true });
  for (const { language, file } of files) await copyFile(file, join(folder, language + PACKED));
  return folder;
};
