// Attacks on keys, sessions and settings of others.
import type { Attack } from './attack.ts';

const createAgent: Attack[] = [
  {
    how: 'for their tags',
    refused: 403,
    shows: 'secret',
    input: ({ theirs }) => ({ name: 'mine', permission: 'write', containerTags: [...theirs.tags] }),
  },
  {
    how: 'for its own tags and theirs',
    refused: 403,
    shows: 'secret',
    input: ({ own, tag }) => ({ name: 'mine', permission: 'read', containerTags: [...own.tags, tag] }),
  },
  {
    how: 'for everything',
    refused: 403,
    shows: 'answer',
    input: () => ({ name: 'mine', permission: 'write' }),
  },
];

const createScoped: Attack[] = [
  { how: 'for their tag', refused: 403, shows: 'secret', input: ({ tag }) => ({ containerTag: tag }) },
  {
    how: 'for its own tags and theirs',
    refused: 403,
    shows: 'secret',
    input: ({ own, tag }) => ({ containerTags: [...own.tags, tag] }),
  },
];

const theirKey: Attack[] = [
  { how: 'by the id of their key', refused: 403, input: ({ theirs }) => ({ id: theirs.keyId }) },
];

const theirGrant: Attack[] = [
  {
    how: 'by the id of their grant',
    refused: 403,
    shows: 'answer',
    input: ({ theirs }) => ({ id: theirs.grantId }),
  },
];

/** Such a call names nothing of theirs. */
const organisation: Attack[] = [{ how: 'at all', refused: 403, shows: 'answer', input: () => ({}) }];

/** Members and invitations belong to the whole organisation. */
const ofNobody = [
  { how: 'of anybody', refused: 403, shows: 'nothing', input: () => ({ id: 'nobody' }) },
] as const satisfies readonly Attack[];

/** The models serve everybody on the machine. */
const anyModel: Attack[] = [
  { how: 'for the whole machine', refused: 403, shows: 'nothing', input: () => ({ name: 'no-such-model' }) },
];

const chosenModel: Attack[] = [
  { how: 'for the whole machine', refused: 403, shows: 'answer', input: () => ({ name: 'builtin' }) },
];

export const onAccess: Readonly<Record<string, readonly Attack[]>> = {
  'keys.createAgent': createAgent,
  'keys.createScoped': createScoped,
  'keys.disable': theirKey,
  'keys.toggle': theirKey,
  'keys.update': theirKey.map((attack) => ({
    ...attack,
    input: (world) => ({ ...attack.input(world), name: 'taken over' }),
  })),
  'keys.rotate': theirKey,
  'keys.list': [{ how: 'all of them', refused: 403, input: () => ({ type: 'keys' }) }],
  'grants.list': [{ how: 'all of them', refused: 403, input: () => ({}) }],
  'grants.revoke': theirGrant,
  'grants.createPluginKey': [
    { how: 'for itself', refused: 403, shows: 'answer', input: () => ({ client: 'cursor' }) },
  ],
  'audit.list': [{ how: 'all of it', refused: 403, input: () => ({}) }],
  'audit.verify': organisation,
  'quotas.list': [{ how: 'all of them', refused: 403, shows: 'answer', input: () => ({}) }],
  'quotas.set': [
    {
      how: 'on their key',
      refused: 403,
      shows: 'answer',
      input: ({ theirs }) => ({ of: 'key', id: theirs.keyId, quotas: { searchesPerDay: 1_000_000 } }),
    },
  ],
  'analytics.usage': organisation,
  'analytics.errors': organisation,
  'analytics.logs': [{ how: 'all of it', refused: 403, input: () => ({}) }],
  'analytics.requests': [{ how: 'all of it', refused: 403, input: () => ({}) }],
  'analytics.memory': organisation,
  'grants.listPlugins': [{ how: 'at all', shows: 'answer', input: () => ({}) }],
  'session.get': [{ how: 'its own', input: () => ({}) }],
  'session.list': [{ how: 'all of them', refused: 403, shows: 'answer', input: () => ({}) }],
  'session.end': [{ how: 'of anybody', refused: 403, shows: 'nothing', input: () => ({ id: 'nobody' }) }],
  'team.members': organisation,
  'team.addMember': [
    {
      ...{ how: 'for itself', refused: 403, shows: 'answer' },
      input: ({ chance }) => ({ email: `${chance.secret()}@example.org`, role: 'owner' }),
    },
  ],
  'team.invite': [
    {
      ...{ how: 'for itself and their tag', refused: 403, shows: 'answer' },
      input: ({ chance, tag }) => ({
        email: `${chance.secret()}@example.org`,
        containerTags: [{ containerTag: tag, permission: 'write' }],
      }),
    },
  ],
  'team.invitations': organisation,
  'team.resendInvite': ofNobody,
  'team.cancelInvite': ofNobody,
  'team.removeMember': ofNobody,
  'team.setRole': [{ ...ofNobody[0], input: () => ({ id: 'nobody', role: 'owner' }) }],
  'team.setAccess': [{ ...ofNobody[0], input: () => ({ id: 'nobody', containerTags: null }) }],
  'settings.testMail': [
    { how: 'to itself', refused: 403, shows: 'nothing', input: () => ({ to: 'eve@example.org' }) },
  ],
  'storage.status': organisation,
  'storage.compact': organisation,
  'models.list': organisation,
  'models.add': anyModel,
  'models.use': chosenModel,
  'models.remove': anyModel,
  'spaces.status': organisation,
  'spaces.reindex': organisation,
};
