// The settings for reading recordings, pictures and scans.
import { z } from 'zod';
import type { ContentHints } from '../../adapters/extract/port.ts';
import type { TranscriptionSettings } from '../../adapters/transcribe/port.ts';
import { defined } from '../../lib/defined.ts';
import { settingGroup, withoutEffect } from '../declare.ts';
import { languageCodes } from '../value-types.ts';
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
      help: 'The languages of pictures and scans, as in eng,deu. Every language except eng needs its package, as in @tesseract.js-data/deu.',
      default: 'eng',
    },
  },
  uses: openAiShape,
  view: (values): ContentConfig => {
    const { MEMOIR_TRANSCRIPTION_MODEL: model, MEMOIR_TRANSCRIPTION_LANGUAGE: language } = values;
    const transcription =
      model === undefined
        ? null
        : { model, ...openAiService(values, 'MEMOIR_TRANSCRIPTION'), ...defined({ language }) };
    return { transcription, ...defined({ ocrLanguages: values.MEMOIR_OCR_LANGUAGES }) };
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
}: ContentConfig): Pick<ContentHints, 'languages'> & {
  transcription: TranscriptionSettings | undefined;
} => ({
  transcription: transcription ?? undefined,
  languages: ocrLanguages,
});
