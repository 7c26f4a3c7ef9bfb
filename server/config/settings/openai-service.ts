// The settings of the OpenAI-compatible service that serves the models of several groups.
import { z } from 'zod';
import { defined } from '../../lib/defined.ts';
import { type SettingTexts, type SettingValues, settingGroup } from '../declare.ts';
import { webAddress } from '../value-types.ts';

const OPENAI = 'https://api.openai.com/v1';
const USED_BY = 'MEMOIR_EMBEDDING_MODEL, OPENAI_MODEL and MEMOIR_TRANSCRIPTION_MODEL';

export const openAiServiceSettings = settingGroup({
  order: 7,
  title: 'OpenAI-compatible service',
  settings: {
    OPENAI_API_KEY: {
      type: z.string().optional(),
      help: `The API key for the service of ${USED_BY}. It is used only if a model is set.`,
      default: 'no key is sent',
      secret: true,
    },
    OPENAI_BASE_URL: {
      type: webAddress.optional(),
      help: `The address of the service of ${USED_BY}, as in http://127.0.0.1:11434/v1 for Ollama. It is used only if a model is set.`,
      default: OPENAI,
    },
  },
  view: () => ({}),
});

export const openAiShape = openAiServiceSettings.settings;

/** The address and the key of the service. */
export interface OpenAiService {
  apiKey?: string;
  baseUrl: string;
}

export const openAiService = (values: SettingValues<typeof openAiShape>): OpenAiService => ({
  baseUrl: values.OPENAI_BASE_URL ?? OPENAI,
  ...defined({ apiKey: values.OPENAI_API_KEY }),
});

export const modelWithoutService =
  (name: string) =>
  (given: SettingTexts): string[] =>
    given[name] === undefined || given.OPENAI_API_KEY !== undefined || given.OPENAI_BASE_URL !== undefined
      ? []
      : [
          `${name} is ${JSON.stringify(given[name])}, but its service is not known. Set OPENAI_API_KEY for OpenAI, or OPENAI_BASE_URL for another service.`,
        ];
