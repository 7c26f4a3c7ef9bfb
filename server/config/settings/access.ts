// The settings of keys and of programs that may ask for access.
import { z } from 'zod';
import { defined } from '../../lib/defined.ts';
import { settingGroup } from '../declare.ts';
import { type OauthClient, oauthClients } from '../oauth-clients.ts';

export interface AccessConfig {
  apiKey?: string;
  /** Undefined: a key in the data folder is used. */
  secretKey?: string;
  /** The former keys, which open secrets that were sealed before a change of the key. */
  previousSecretKeys: readonly string[];
  oauthClients: readonly OauthClient[];
}

const SHORTEST_KEY = 32;

/** A key may hold spaces and commas itself: a line with a piece that is too short for a key is one key. */
const keysOfLine = (line: string): string[] => {
  const pieces = line
    .split(',')
    .map((piece) => piece.trim())
    .filter(Boolean);
  return pieces.every(({ length }) => length >= SHORTEST_KEY) ? pieces : [line.trim()];
};

const formerKeys = z
  .string()
  .transform((text) => text.split(/[\r\n]+/).flatMap(keysOfLine))
  .refine((keys) => keys.every((key) => key.length >= SHORTEST_KEY), {
    error: 'former keys of at least 32 characters, separated by commas',
  });

export const accessSettings = settingGroup({
  order: 2,
  title: 'Keys and programs',
  settings: {
    MEMOIR_API_KEY: {
      type: z
        .string()
        .regex(/^sm_\S{17,}$/, { error: '"sm_" and at least 17 more characters without a space' })
        .optional(),
      help: 'The full-access key of the server: "sm_" and at least 17 more characters that nobody can guess, as from openssl rand -hex 24. The command line sends it to the server in MEMOIR_URL.',
      default: 'the first start creates a key and prints it once',
      secret: true,
    },
    MEMOIR_SECRET_KEY: {
      type: z.string().min(SHORTEST_KEY, { error: 'at least 32 characters' }).optional(),
      help: 'The key that encrypts client secrets in the settings and secrets of connections, and signs links to files. At least 32 characters. A start with another key than the stored secrets need is refused.',
      default: 'a key is created on first use and stored in secret.key in the data folder',
      secret: true,
    },
    MEMOIR_SECRET_KEY_PREVIOUS: {
      type: formerKeys.default([]),
      help: 'Former values of MEMOIR_SECRET_KEY, separated by commas or line breaks. They only read. After a change of MEMOIR_SECRET_KEY, "memoir secrets rotate" encrypts everything with the new key; then remove this setting.',
      default: 'none',
      secret: true,
    },
    MEMOIR_OAUTH_CLIENTS: {
      type: oauthClients.optional(),
      help: 'Programs that may ask for access without registration: a JSON list of { clientId, name, redirectUris }.',
      default: 'none; programs register themselves',
    },
  },
  view: (values): AccessConfig => ({
    oauthClients: values.MEMOIR_OAUTH_CLIENTS ?? [],
    previousSecretKeys: values.MEMOIR_SECRET_KEY_PREVIOUS,
    ...defined({ apiKey: values.MEMOIR_API_KEY, secretKey: values.MEMOIR_SECRET_KEY }),
  }),
});
