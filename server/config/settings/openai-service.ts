// The settings of the OpenAI-compatible service that serves the models of several groups, and of services for one group.
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
      help: `The API key for the service of ${USED_BY}. It is used only if a model is set, and never sent to an address that is set for one of them alone.`,
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
  /** The settings of a service for one model alone, for messages. */
  settings?: { readonly address: string; readonly key: string };
}

/** The settings of a service for one model alone: "MEMOIR_EMBEDDING" begins their names. */
type OwnValues<Prefix extends string> = {
  readonly [Name in `${Prefix}_URL` | `${Prefix}_API_KEY`]?: string | undefined;
};

/** A setting for the address of one model alone. */
export const ownAddress = (model: string) => ({
  type: webAddress.optional(),
  help: `The address of the service of ${model} alone. OPENAI_API_KEY is not sent there.`,
  default: 'OPENAI_BASE_URL',
});

export const ownKey = (model: string, address: string) =>
  ({
    type: z.string().optional(),
    help: `The API key for the service of ${model} alone.`,
    default: `OPENAI_API_KEY, or no key where ${address} is set`,
    secret: true,
  }) as const;

/** A key for all services never goes to an address of one of them. */
export const openAiService = <Prefix extends string>(
  values: SettingValues<typeof openAiShape> & OwnValues<Prefix>,
  prefix: Prefix,
): OpenAiService => {
  const own: OwnValues<Prefix> = values;
  const settings = { address: `${prefix}_URL`, key: `${prefix}_API_KEY` } as const;
  const url = own[settings.address];
  const apiKey = own[settings.key] ?? (url === undefined ? values.OPENAI_API_KEY : undefined);
  return {
    baseUrl: url ?? values.OPENAI_BASE_URL ?? OPENAI,
    ...defined({ apiKey, settings: url === undefined ? undefined : settings }),
  };
};

export const modelWithoutService =
  (name: string, prefix: string) =>
  (given: SettingTexts): string[] => {
    const names = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', `${prefix}_URL`, `${prefix}_API_KEY`];
    return given[name] === undefined || names.some((one) => given[one] !== undefined)
      ? []
      : [
          `${name} is ${JSON.stringify(given[name])}, but its service is not known. Set OPENAI_API_KEY for OpenAI, or OPENAI_BASE_URL or ${prefix}_URL for another service.`,
        ];
  };
