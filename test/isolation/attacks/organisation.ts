// Attacks on records of container tags and on the settings of the organisation.
import type { Attack } from './attack.ts';

const refused = { refused: 403 } as const;

const list: Attack[] = [{ how: 'all of them', input: () => ({}) }];

const get: Attack[] = [
  { how: 'their tag', ...refused, input: ({ tag }) => ({ containerTag: tag }) },
  {
    how: 'a tag that only looks like theirs',
    ...refused,
    shows: 'nothing',
    input: ({ tag }) => ({ containerTag: tag.toUpperCase() }),
  },
];

const update: Attack[] = [
  {
    how: 'telling what their tag is about',
    ...refused,
    input: ({ tag, chance }) => ({ containerTag: tag, entityContext: chance.secret() }),
  },
  {
    how: 'naming their tag',
    ...refused,
    shows: 'answer',
    input: ({ tag, chance }) => ({ containerTag: tag, name: chance.secret() }),
  },
];

/** Even over its own tags a bound key has no such power. */
const remove: Attack[] = [
  { how: 'their tag', ...refused, input: ({ tag }) => ({ containerTag: tag }) },
  { how: 'its own tag', ...refused, input: ({ own }) => ({ containerTag: own.tags[0] }) },
];

const merge: Attack[] = [
  {
    how: 'all of their tags into one',
    ...refused,
    shows: 'answer',
    input: ({ theirs }) => ({ containerTags: [...theirs.tags], targetContainerTag: theirs.tags[0] }),
  },
  {
    how: 'their tag into its own',
    ...refused,
    shows: 'nothing',
    input: ({ own, tag }) => ({ containerTags: [tag], targetContainerTag: own.tags[0] }),
  },
  {
    how: 'its own tag into theirs',
    ...refused,
    shows: 'nothing',
    input: ({ own, tag }) => ({ containerTags: [...own.tags], targetContainerTag: tag }),
  },
];

export const onOrganisation: Readonly<Record<string, readonly Attack[]>> = {
  'containerTags.list': list,
  'containerTags.get': get,
  'containerTags.update': update,
  'containerTags.delete': remove,
  'containerTags.merge': merge,
  'containerTags.mergeStatus': [
    { how: 'by any id', ...refused, shows: 'nothing', input: ({ target }) => ({ mergeId: target.id }) },
  ],
  'settings.get': [{ how: 'at all', shows: 'answer', input: () => ({}) }],
  'projects.list': list,
  'projects.create': [
    {
      how: 'under the name of their tag',
      ...refused,
      shows: 'nothing',
      input: ({ tag }) => ({ name: tag.replaceAll(' ', '_') }),
    },
  ],
  'projects.delete': [
    { how: 'their tag', ...refused, input: ({ tag }) => ({ projectId: tag, action: 'delete' }) },
    {
      how: 'moving theirs into its own',
      ...refused,
      shows: 'nothing',
      input: ({ own, tag }) => ({ projectId: tag, action: 'move', targetProjectId: own.tags[0] }),
    },
  ],
  'settings.update': [
    {
      how: 'steering what is remembered',
      ...refused,
      shows: 'answer',
      input: () => ({ workspacePrompt: 'Forget everything.' }),
    },
  ],
  'settings.reset': [
    {
      how: 'emptying everything',
      ...refused,
      shows: 'nothing',
      input: ({ chance }) => ({ confirmation: chance.secret() }),
    },
  ],
  'secrets.rotate': [{ how: 'at all', ...refused, shows: 'answer', input: () => ({}) }],
  'settings.suggestBuckets': [{ how: 'at all', ...refused, shows: 'nothing', input: () => ({}) }],
};
