// The settings of the language model.
import { z } from 'zod';
import { settingGroup, withoutEffect } from '../declare.ts';
import {
  modelWithoutService,
  type OpenAiService,
  openAiService,
  openAiShape,
  ownAddress,
  ownKey,
} from './openai-service.ts';

export interface LanguageModelConfig {
  /** Null: rules draw the memories. */
  reading: ({ model: string } & OpenAiService) | null;
}

export const languageModelSettings = settingGroup({
  order: 5,
  title: 'Language model',
  settings: {
    OPENAI_MODEL: {
      type: z.string().optional(),
      help: 'The chat model of an OpenAI-compatible service, as in gpt-5-mini. It draws memories and summarises profiles. In searches with rewriteQuery or aggregate, it rewords the query or combines the results. The texts are then sent to that service.',
      default: 'rules draw the memories, and nothing is sent, even if OPENAI_API_KEY is set',
    },
    OPENAI_MODEL_URL: ownAddress('OPENAI_MODEL'),
    OPENAI_MODEL_API_KEY: ownKey('OPENAI_MODEL', 'OPENAI_MODEL_URL'),
  },
  uses: openAiShape,
  view: ({ OPENAI_MODEL: model, ...values }): LanguageModelConfig => ({
    reading: model === undefined ? null : { model, ...openAiService(values, 'OPENAI_MODEL') },
  }),
  problems: modelWithoutService('OPENAI_MODEL', 'OPENAI_MODEL'),
  warnings: (values) => withoutEffect(values, 'OPENAI_MODEL', ['OPENAI_MODEL_URL', 'OPENAI_MODEL_API_KEY']),
});
