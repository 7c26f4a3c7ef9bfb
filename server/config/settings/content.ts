// The settings for reading recordings, pictures and scans.
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import type { ContentHints, OcrOptions } from '../../adapters/extract/port.ts';
import type { TranscriptionSettings } from '../../adapters/transcribe/port.ts';
import { defined } from '../../lib/defined.ts';
import { settingGroup, withoutEffect } from '../declare.ts';
import { languageCodes, wholeNumberSetting } from '../value-types.ts';
import {
  modelWithoutService,
  type OpenAiService,
  openAiService,
  openAiShape,
  ownAddress,
  ownKey,
} from './openai-service.ts';

export interface ContentConfig {
  /** Null: audio and video cannot be transcribed. */
  transcription: ({ model: string; language?: string } & OpenAiService) | null;
  /** The languages of pictures and scans. */
  ocrLanguages?: readonly string[];
  ocr: OcrOptions;
}

export const contentSettings = settingGroup({
  order: 6,
  title: 'Recordings, pictures and scans',
  settings: {
    MEMOIR_TRANSCRIPTION_MODEL: {
      type: z.string().optional(),
      help: 'The model of an OpenAI-compatible service that transcribes audio and video, as in whisper-1. The sound is then sent to that service.',
      default: 'audio and video cannot be read, and nothing is sent, even if OPENAI_API_KEY is set',
    },
    MEMOIR_TRANSCRIPTION_URL: ownAddress('MEMOIR_TRANSCRIPTION_MODEL'),
    MEMOIR_TRANSCRIPTION_API_KEY: ownKey('MEMOIR_TRANSCRIPTION_MODEL', 'MEMOIR_TRANSCRIPTION_URL'),
    MEMOIR_TRANSCRIPTION_LANGUAGE: {
      type: z
        .string()
        .regex(/^[a-z]{2,3}$/, { error: 'a language code, as in en' })
        .optional(),
      help: 'The spoken language, as in en.',
      default: 'the service detects the language',
    },
    MEMOIR_OCR_LANGUAGES: {
      type: languageCodes.optional(),
      help: 'The languages of pictures and scans, as in eng,deu. Every language except eng is installed before, as in memoir models add ocr:deu.',
      default: 'eng and all that are installed',
    },
    MEMOIR_OCR_WORKERS: {
      type: wholeNumberSetting(1, 16).optional(),
      help: 'The number of scanned pages of a document that are recognised at once. Each takes a core, and about 150 MB of memory.',
      default: 'half of the cores, at least one',
    },
    MEMOIR_TESSERACT: {
      type: z
        .string()
        .refine((path) => path === 'none' || isAbsolute(path), {
          error: 'the path of the program from the root on, as in /usr/bin/tesseract, or none',
        })
        .optional(),
      help: 'The path of the program tesseract, which reads scanned pages faster than the built-in engine; none leaves all pages to the built-in engine.',
      default: 'the one on the PATH, if it is installed',
    },
  },
  uses: openAiShape,
  view: (values): ContentConfig => {
    const { MEMOIR_TRANSCRIPTION_MODEL: model, MEMOIR_TRANSCRIPTION_LANGUAGE: language } = values;
    const transcription =
      model === undefined
        ? null
        : { model, ...openAiService(values, 'MEMOIR_TRANSCRIPTION'), ...defined({ language }) };
    const { MEMOIR_OCR_WORKERS: workers, MEMOIR_TESSERACT: program } = values;
    return {
      transcription,
      ...defined({ ocrLanguages: values.MEMOIR_OCR_LANGUAGES }),
      ocr: defined({ workers, program }),
    };
  },
  problems: modelWithoutService('MEMOIR_TRANSCRIPTION_MODEL', 'MEMOIR_TRANSCRIPTION'),
  warnings: (values) =>
    withoutEffect(values, 'MEMOIR_TRANSCRIPTION_MODEL', [
      'MEMOIR_TRANSCRIPTION_URL',
      'MEMOIR_TRANSCRIPTION_API_KEY',
      'MEMOIR_TRANSCRIPTION_LANGUAGE',
    ]),
});

export const extractionHints = ({
  transcription,
  ocrLanguages,
  ocr,
}: ContentConfig): Pick<ContentHints, 'languages'> & {
  transcription: TranscriptionSettings | undefined;
  ocr: OcrOptions;
} => ({
  transcription: transcription ?? undefined,
  languages: ocrLanguages,
  ocr,
});
