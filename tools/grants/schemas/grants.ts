// Inputs and outputs of the operations on grants and plugin keys.
import { z } from 'zod';
import { singleLine, time } from '../../shared/primitives.ts';

const id = z.string().describe('The id of the grant.');

const grantItem = z
  .object({
    id,
    client: z
      .object({
        id: z.string().describe('The client id; it can be a web address.'),
        name: z.string().describe('The name that the program gave.'),
        redirectHost: z.string().describe('The host of the redirect address.'),
      })
      .describe('The program.'),
    keyId: z
      .string()
      .describe('The id of the key that gave the grant. If that key is disabled, the grant is invalid.'),
    permission: z.enum(['read', 'write']).describe('read: may read and search; write: may also change data.'),
    containerTags: z
      .array(z.string())
      .nullable()
      .describe('The container tags that the grant is bound to; null: all.'),
    createdAt: time.describe('The time of the grant.'),
    expiresAt: time.describe('The time at which the grant expires.'),
    lastUsedAt: time.nullable().describe('The time of the last use; null: never used.'),
    endedWithKey: z
      .boolean()
      .optional()
      .describe('True: the grant is invalid, because the key that gave it is disabled or has expired.'),
  })
  .meta({ id: 'Grant', description: 'A grant that a person gave to a program on the connect page.' });
export type GrantItem = z.input<typeof grantItem>;

export const listGrantsInput = z.object({});

export const listGrantsOutput = z.object({
  grants: z.array(grantItem).describe('The grants that have not expired.'),
});
export type ListGrantsOutput = z.input<typeof listGrantsOutput>;

export const grantReference = z.object({ id: z.string().min(1).max(255).describe('The id of the grant.') });

export const revokeGrantOutput = z.object({
  id,
  revoked: z.boolean().describe('True: requests with its tokens now get 401.'),
});
export type RevokeGrantOutput = z.input<typeof revokeGrantOutput>;

// --- plugins ---------------------------------------------------------------------------------------

/** The plugins that connect with a key of their own. */
export const PLUGINS = ['claude_code', 'opencode', 'openclaw', 'hermes', 'cursor', 'codex'] as const;

export const plugin = z.enum(PLUGINS);

export const listPluginsOutput = z.object({
  plugins: z.array(singleLine(1, 64)).describe('The ids that /auth/connect accepts as client.'),
});

export const pluginKeyInput = z.object({
  client: plugin.describe('The plugin.'),
  callback: z.string().max(2048).optional().describe('Accepted for older clients; ignored.'),
});

export const pluginKeyOutput = z.object({
  key: z.string().describe('The key of the plugin. It is shown only this once.'),
});
export type PluginKeyOutput = z.input<typeof pluginKeyOutput>;
