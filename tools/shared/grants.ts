// Grants and keys of plugins: what is asked and answered.
import { z } from 'zod';
import { line, time } from './primitives.ts';

const id = z.string().describe('The id of the grant.');

const grantItem = z
  .object({
    id,
    client: z
      .object({
        id: z.string().describe('Its client id; a web address where it has one.'),
        name: z.string().describe('As it calls itself.'),
        redirectHost: z.string().describe('The host that the answer was sent to.'),
      })
      .describe('The program.'),
    keyId: z
      .string()
      .describe('The id of the key that granted it; without that key the grant is worth nothing.'),
    permission: z
      .enum(['read', 'write'])
      .describe('read: may look and search; write: may change things as well.'),
    containerTags: z.array(z.string()).nullable().describe('The container tags it is bound to; null: all.'),
    createdAt: time.describe('When it was granted.'),
    expiresAt: time.describe('When it ends.'),
    lastUsedAt: time.nullable().describe('When it was last used; null: never.'),
  })
  .meta({ id: 'Grant', description: 'What a program was allowed on the connect page.' });
export type GrantItem = z.input<typeof grantItem>;

export const listGrantsInput = z.object({});

export const listGrantsOutput = z.object({
  grants: z.array(grantItem).describe('Those that have not ended.'),
});
export type ListGrantsOutput = z.input<typeof listGrantsOutput>;

export const grantReference = z.object({ id: z.string().min(1).max(255).describe('The id of the grant.') });

export const revokeGrantOutput = z.object({
  id,
  revoked: z.boolean().describe('True: its tokens get 401 now.'),
});
export type RevokeGrantOutput = z.input<typeof revokeGrantOutput>;

// --- plugins ---------------------------------------------------------------------------------------

/** The plugins that connect with a key of their own. */
export const PLUGINS = ['claude_code', 'opencode', 'openclaw', 'hermes', 'cursor', 'codex'] as const;

export const plugin = z.enum(PLUGINS);

export const listPluginsOutput = z.object({
  plugins: z.array(line(1, 64)).describe('The ids that /auth/connect takes as client.'),
});
export type ListPluginsOutput = z.input<typeof listPluginsOutput>;

export const pluginKeyInput = z.object({
  client: plugin.describe('The plugin.'),
  callback: z.string().max(2048).optional().describe('Accepted for older clients; nothing is sent there.'),
});

export const pluginKeyOutput = z.object({
  key: z.string().describe('The key of the plugin; shown this once and never again.'),
});
export type PluginKeyOutput = z.input<typeof pluginKeyOutput>;
