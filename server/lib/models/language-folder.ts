// The folders of the languages of OCR among the models. It loads no package, so that the extraction process may use it.
import { join } from 'node:path';

/** Before the name of a language. */
export const LANGUAGE_FOLDER = 'ocr-';

export const pathOfLanguage = (models: string, language: string): string =>
  join(models, LANGUAGE_FOLDER + language, `${language}.traineddata`);
