// Inputs and outputs of the operations on keys and sessions.
import { z } from 'zod';
import { changedQuotas, quotaChanges } from '../../quotas/schemas/quotas.ts';
import { singleLine, time, wholeNumberField } from '../../shared/primitives.ts';
import { containerTags, joinTags, tagFields } from '../../shared/tags.ts';
import { usage } from '../../shared/usage.ts';

const permission = z
  .enum(['read', 'write'])
  .describe('read: may read and search; write: may also change data.');

const kind = z
  .enum(['personal', 'service'])
  .optional()
  .describe(
    'personal: the key ends with you; service: it belongs to the organisation, and only owners and admins make one. Default: personal if a member makes it, service if a key of the organisation does.',
  );

const rateLimit = {
  rateLimitMax: wholeNumberField(1, 10_000)
    .optional()
    .describe('The maximum number of requests in each time window, 1–10,000.'),
  rateLimitTimeWindow: wholeNumberField(1, 3_600_000)
    .optional()
    .describe('The time window in milliseconds, up to one hour. Default with rateLimitMax: 60,000.'),
};

export const createScopedKeyInput = z
  .object({
    ...tagFields,
    name: singleLine(1, 255).optional().describe('The name of the key. Default: scoped_ and the tag.'),
    permission: permission.default('write'),
    expiresInDays: wholeNumberField(1, 365)
      .optional()
      .describe('Days until the key expires, 1–365. Default: it never expires.'),
    kind,
    ...rateLimit,
    rateLimitMax: wholeNumberField(1, 10_000)
      .prefault(500)
      .describe('The maximum number of requests in each time window, 1–10,000.'),
    rateLimitTimeWindow: wholeNumberField(1, 3_600_000)
      .prefault(60_000)
      .describe('The time window in milliseconds, up to one hour.'),
  })
  .transform(joinTags)
  .refine(({ tags }) => tags !== undefined, {
    path: ['containerTag'],
    error: 'is required: give the container tag of the key',
  });

export const createAgentKeyInput = z
  .object({
    name: singleLine(1, 255).describe('The name of the key.'),
    permission,
    ...tagFields,
    containerTags: containerTags
      .min(1)
      .optional()
      .describe('Several container tags. Default: the key may use all tags. An empty list is refused.'),
    expiresInDays: wholeNumberField(1, 3650)
      .optional()
      .describe('Days until the key expires, 1–3,650. Default: it never expires.'),
    pluginId: singleLine(1, 64)
      .optional()
      .describe(
        'The plugin that uses the key, for example claude-code or cursor. Such a key manages nothing: no keys, grants, settings or whole tags.',
      ),
    kind,
    ...rateLimit,
  })
  .transform(joinTags);

const id = z.string().describe('The id of the key.');
const secret = z.string().describe('The key. It is shown only this once.');
const name = z.string().describe('The name of the key.');
const expiresAt = time.nullable().describe('The time at which the key expires; null: never.');
const containerTag = z.string().optional().describe('The container tag that the key is bound to.');
const boundTags = z.array(z.string()).optional().describe('The container tags that the key is bound to.');

const note = z.string().optional();
const made = note.describe(
  'The differences between the key and the request, because the key that made it ends sooner or is slower.',
);

export const scopedKeyOutput = z.object({
  key: secret,
  id,
  name,
  containerTag: z.string().describe('The first container tag that the key is bound to.'),
  containerTags: z.array(z.string()).describe('All container tags that the key is bound to.'),
  permission,
  expiresAt,
  allowedEndpoints: z.array(z.string()).describe('The paths that the key is meant for.'),
  note: made,
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
  pluginId: z.string().optional().describe('The plugin that uses the key.'),
  note: made,
});
export type AgentKeyOutput = z.input<typeof agentKeyOutput>;

export const keyReference = z.object({ id: z.string().min(1).max(255).describe('The id of the key.') });

export const listKeysInput = z.object({
  type: z.string().max(64).optional().describe('Accepted for older clients; ignored.'),
});

const keyItem = z
  .object({
    id,
    name,
    start: z.string().describe('The first characters of the key, to recognise it.'),
    permission,
    containerTag,
    containerTags: boundTags,
    enabled: z.boolean().describe('False if the key is disabled.'),
    slowed: z
      .boolean()
      .optional()
      .describe(
        'True while files added with this key are read behind those of others, because reading them took more than 5 of the last 10 minutes.',
      ),
    isScoped: z.boolean().describe('True if the key is bound to container tags.'),
    expiresAt,
    createdAt: time.describe('The time of creation.'),
    lastUsedAt: time.nullable().describe('The time of the last use; null: never used.'),
    notifiedAt: time
      .nullable()
      .describe('The time of the last mail about the end of the key; null: there was none.'),
    rateLimitMax: z
      .int()
      .nullable()
      .describe('The maximum number of requests in each time window; null: unlimited.'),
    rateLimitTimeWindow: z.int().nullable().describe('The time window in milliseconds.'),
    smType: z.string().optional().describe('plugin_auth or agent_cli.'),
    smClient: z.string().optional().describe('The plugin that uses the key.'),
    usage: usage.describe(
      'All tokens that language models have used to draw memories from content added with this key, and to summarise profiles read with it.',
    ),
    madeBy: z
      .string()
      .optional()
      .describe(
        'The id of the key that made this one. Absent: made on the machine itself, at the first start, or before this was recorded.',
      ),
    kind: z
      .enum(['personal', 'service'])
      .describe('personal: it ends with its member; service: it belongs to the organisation.'),
    owner: z
      .object({
        id: z.string().describe('The id of the member.'),
        name: z.string().optional().describe('The name.'),
        email: z.string().optional().describe('The address. Absent: the member was removed.'),
      })
      .optional()
      .describe('The member whose personal key it is.'),
    endedWithMaker: z
      .boolean()
      .optional()
      .describe(
        'True: requests with the key get 401, because a key that made it is disabled or has expired.',
      ),
    metadata: z.string().optional().describe('JSON text with sm_type, sm_client and organizationId.'),
  })
  .meta({ id: 'Key', description: 'A key, without its secret.' });
export type KeyItem = z.input<typeof keyItem>;

export const listKeysOutput = z.object({
  keys: z.array(keyItem).describe('Every key, without its secret.'),
  usage: usage.describe(
    'The sum for all keys and for commands run on the server itself. Tokens used by searches are not counted.',
  ),
});
export type ListKeysOutput = z.input<typeof listKeysOutput>;

export const disableKeyOutput = z.object({
  success: z.boolean().describe('True: the key is disabled.'),
  id,
  note: note.describe('The number of keys and grants that ended with it.'),
});
export type DisableKeyOutput = z.input<typeof disableKeyOutput>;

export const toggleKeyOutput = z.object({
  id,
  enabled: z.boolean().describe('True if the key is now enabled.'),
  note: note.describe(
    'The number of keys and grants that ended with it, or the reason why the enabled key cannot be used yet.',
  ),
});
export type ToggleKeyOutput = z.input<typeof toggleKeyOutput>;

const someField = [
  'name',
  'permission',
  'containerTags',
  'expiresInDays',
  'rateLimitMax',
  'rateLimitTimeWindow',
  'quotas',
] as const;

export const updateKeyInput = keyReference
  .extend({
    name: singleLine(1, 255).optional().describe('A new name.'),
    permission: permission.optional(),
    containerTags: containerTags
      .min(1)
      .nullable()
      .optional()
      .describe('The container tags that the key is bound to from now on; null: all.'),
    expiresInDays: wholeNumberField(1, 3650)
      .nullable()
      .optional()
      .describe('Days from now until the key expires, 1–3,650; null: it never expires.'),
    rateLimitMax: wholeNumberField(1, 10_000)
      .nullable()
      .optional()
      .describe(
        'The maximum number of requests in each time window, 1–10,000; null: 500 a minute for a key with tags, unlimited for another.',
      ),
    rateLimitTimeWindow: rateLimit.rateLimitTimeWindow,
    quotas: quotaChanges.optional(),
  })
  .refine((input) => someField.some((field) => input[field] !== undefined), {
    path: ['name'],
    error: `is missing, and so is every other field: give at least one of ${someField.join(', ')}`,
  });
export type UpdateKeyInput = z.output<typeof updateKeyInput>;

export const updateKeyOutput = z.object({
  id,
  name,
  permission,
  containerTags: z
    .array(z.string())
    .nullable()
    .describe('The container tags that the key is bound to; null: all.'),
  expiresAt,
  rateLimitMax: z
    .int()
    .nullable()
    .describe('The maximum number of requests in each time window; null: unlimited.'),
  rateLimitTimeWindow: z.int().nullable().describe('The time window in milliseconds.'),
  quotas: changedQuotas,
  note: note.describe(
    'The differences between the key and the request, because your own key ends sooner or is slower.',
  ),
});
export type UpdateKeyOutput = z.input<typeof updateKeyOutput>;

export const rotateKeyInput = keyReference.extend({
  overlapHours: wholeNumberField(0, 720)
    .prefault(24)
    .describe('The hours for which the former key stays valid, 0–720. 0: it ends at once.'),
});
export type RotateKeyInput = z.output<typeof rotateKeyInput>;

export const rotateKeyOutput = z.object({
  id: z.string().describe('The id of the new key.'),
  key: secret,
  name,
  expiresAt,
  replaces: z.string().describe('The id of the former key.'),
  formerEndsAt: time.describe('The time at which the former key ends.'),
  note: note.describe(
    'The differences between the new key and the former one, because your own key ends sooner or is slower.',
  ),
});
export type RotateKeyOutput = z.input<typeof rotateKeyOutput>;

export const sessionInput = z.object({});

export const sessionOutput = z.object({
  user: z
    .object({
      id: z.string().min(1).describe('The id of the user that the key belongs to.'),
      email: z.string().optional().describe('The email address, if it is known.'),
      name: z.string().optional().describe('The name.'),
    })
    .describe('The caller.'),
  org: z
    .object({
      id: z.string().describe('The id of the organisation.'),
      name: z.string().optional().describe('The name of the organisation.'),
      slug: z.string().optional().describe('The short name of the organisation.'),
    })
    .describe('The organisation of the caller.'),
  plan: z.string().optional().describe('The plan.'),
  role: z.string().optional().describe('The role in the organisation.'),
  accessType: z
    .enum(['full', 'restricted'])
    .describe('full: the caller may use every container tag; restricted: only some.'),
  containerTags: z
    .array(z.object({ containerTag: z.string().describe('A container tag.'), permission }))
    .nullable()
    .describe('The container tags that the caller may use; null: all.'),
  scope: z
    .object({
      type: z.enum(['full', 'scoped']).describe('scoped: the key is bound to container tags.'),
      permission,
      tag: z.string().optional().describe('The container tag, if there is exactly one.'),
      tags: z.array(z.string()).optional().describe('The container tags.'),
      rateLimit: z.number().optional().describe('The maximum number of requests in each time window.'),
      expires: time.optional().describe('The time at which the key expires.'),
    })
    .describe('The permissions of the key.'),
});
export type SessionOutput = z.input<typeof sessionOutput>;
