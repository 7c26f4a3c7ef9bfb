// Keys and sessions: what is asked and answered.
import { z } from 'zod';
import { line, time, wholeNumber } from './primitives.ts';
import { containerTags, joinTags, tagFields } from './tags.ts';
import { usage } from './usage.ts';

const permission = z
  .enum(['read', 'write'])
  .describe('read: may look and search; write: may change things as well.');

const rateLimit = {
  rateLimitMax: wholeNumber(1, 10_000).optional().describe('Requests within each window, 1–10,000.'),
  rateLimitTimeWindow: wholeNumber(1, 3_600_000)
    .optional()
    .describe('The window in milliseconds, up to an hour; 60,000 where only a maximum is given.'),
};

export const createScopedKeyInput = z
  .object({
    ...tagFields,
    name: line(1, 255).optional().describe('A name; without one, scoped_ and the tag.'),
    permission: permission.default('write'),
    expiresInDays: wholeNumber(1, 365)
      .optional()
      .describe('Days until it expires, 1–365; without it, never.'),
    ...rateLimit,
    rateLimitMax: wholeNumber(1, 10_000).prefault(500).describe('Requests within each window, 1–10,000.'),
    rateLimitTimeWindow: wholeNumber(1, 3_600_000)
      .prefault(60_000)
      .describe('The window in milliseconds, up to an hour.'),
  })
  .transform(joinTags)
  .refine((given) => given.tags !== undefined, {
    path: ['containerTag'],
    error: 'name the container tag the key is for',
  });
export type CreateScopedKeyInput = z.output<typeof createScopedKeyInput>;

export const createAgentKeyInput = z
  .object({
    name: line(1, 255).describe('A name to recognise it by.'),
    permission,
    ...tagFields,
    containerTags: containerTags
      .min(1)
      .optional()
      .describe('Several container tags; without any the key may use all. An empty list is refused.'),
    expiresInDays: wholeNumber(1, 3650)
      .optional()
      .describe('Days until it expires, 1–3,650; without it, never.'),
    pluginId: line(1, 64).optional().describe('The plugin it is for, as in claude-code or cursor.'),
    ...rateLimit,
  })
  .transform(joinTags);
export type CreateAgentKeyInput = z.output<typeof createAgentKeyInput>;

const id = z.string().describe('The id of the key.');
const secret = z.string().describe('The key itself; shown this once and never again.');
const name = z.string().describe('The name of the key.');
const expiresAt = time.nullable().describe('When it expires; null: never.');
const containerTag = z.string().optional().describe('The container tag it is bound to.');
const boundTags = z.array(z.string()).optional().describe('The container tags it is bound to.');

export const scopedKeyOutput = z.object({
  key: secret,
  id,
  name,
  containerTag: z.string().describe('The first container tag it is bound to.'),
  containerTags: z.array(z.string()).describe('All container tags it is bound to.'),
  permission,
  expiresAt,
  allowedEndpoints: z.array(z.string()).describe('The paths it is meant for.'),
});
export type ScopedKeyOutput = z.input<typeof scopedKeyOutput>;

export const agentKeyOutput = z.object({
  id,
  name,
  key: secret,
  permission,
  containerTag,
  containerTags: boundTags,
  expiresAt: expiresAt.optional(),
  pluginId: z.string().optional().describe('The plugin it is for.'),
});
export type AgentKeyOutput = z.input<typeof agentKeyOutput>;

export const keyReference = z.object({ id: z.string().min(1).max(255).describe('The id of the key.') });

export const listKeysInput = z.object({
  type: z.string().max(64).optional().describe('Accepted for older clients; changes nothing.'),
});

const keyItem = z
  .object({
    id,
    name,
    start: z.string().describe('Its first characters, to recognise it by.'),
    permission,
    containerTag,
    containerTags: boundTags,
    enabled: z.boolean().describe('False once it is disabled.'),
    isScoped: z.boolean().describe('Whether it is bound to container tags.'),
    expiresAt,
    createdAt: time.describe('When it was made.'),
    lastUsedAt: time.nullable().describe('When it was last used; null: never.'),
    rateLimitMax: z.int().nullable().describe('Requests within each window; null: unlimited.'),
    rateLimitTimeWindow: z.int().nullable().describe('The window in milliseconds.'),
    smType: z.string().optional().describe('plugin_auth or agent_cli.'),
    smClient: z.string().optional().describe('The plugin it is for.'),
    usage: usage.describe(
      'What language models took to draw memories from what came by this key, and to summarise profiles that it read; ever.',
    ),
    metadata: z.string().optional().describe('JSON text with sm_type, sm_client and organizationId.'),
  })
  .meta({ id: 'Key', description: 'A key, without its secret.' });
export type KeyItem = z.input<typeof keyItem>;

export const listKeysOutput = z.object({
  keys: z.array(keyItem).describe('Every key, without its secret.'),
  usage: usage.describe(
    "The same for all keys and this machine's own commands together; what searches ask a model is not counted.",
  ),
});
export type ListKeysOutput = z.input<typeof listKeysOutput>;

export const disableKeyOutput = z.object({ success: z.boolean().describe('True: it is disabled.'), id });
export type DisableKeyOutput = z.input<typeof disableKeyOutput>;

export const toggleKeyOutput = z.object({ id, enabled: z.boolean().describe('Whether it works now.') });
export type ToggleKeyOutput = z.input<typeof toggleKeyOutput>;

export const sessionInput = z.object({});

export const sessionOutput = z.object({
  user: z
    .object({
      id: z.string().min(1).describe('Who this key stands for.'),
      email: z.string().optional().describe('The address, where one is known.'),
      name: z.string().optional().describe('The name.'),
    })
    .describe('Who is calling.'),
  org: z
    .object({
      id: z.string().describe('The id of the organisation.'),
      name: z.string().optional().describe('Its name.'),
      slug: z.string().optional().describe('Its short name.'),
    })
    .describe('The organisation.'),
  plan: z.string().optional().describe('The plan.'),
  role: z.string().optional().describe('The role in the organisation.'),
  accessType: z.enum(['full', 'restricted']).describe('Whether every container tag may be used.'),
  containerTags: z
    .array(z.object({ containerTag: z.string().describe('A container tag.'), permission }))
    .nullable()
    .describe('The container tags that may be used; null: all.'),
  scope: z
    .object({
      type: z.enum(['full', 'scoped']).describe('Whether the key is bound to container tags.'),
      permission,
      tag: z.string().optional().describe('The container tag, when there is one.'),
      tags: z.array(z.string()).optional().describe('The container tags.'),
      rateLimit: z.number().optional().describe('Requests within each window.'),
      expires: time.optional().describe('When the key expires.'),
    })
    .describe('What the key may do.'),
});
export type SessionOutput = z.input<typeof sessionOutput>;
