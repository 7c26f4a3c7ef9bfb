// Attacks on connections of others: a bound key may list its own, and no more.
import type { Attack } from './attack.ts';

const refused = { refused: 403, shows: 'nothing' } as const;

const byId: Attack[] = [
  { how: 'by any id', ...refused, input: ({ target }) => ({ connectionId: target.id, resources: [] }) },
];

const onId: Attack[] = [
  { how: 'by any id', ...refused, input: ({ target }) => ({ connectionId: target.id }) },
];

const ofProvider: Attack[] = [
  {
    how: 'in their tag',
    ...refused,
    input: ({ tag }) => ({ provider: 'notion', containerTags: [tag] }),
  },
];

export const onConnections: Readonly<Record<string, readonly Attack[]>> = {
  'connections.list': [
    { how: 'all of them', shows: 'answer', input: () => ({}) },
    {
      how: 'naming their tag',
      refused: 403,
      shows: 'answer',
      input: ({ tag }) => ({ containerTags: [tag] }),
    },
  ],
  'connections.create': [
    { how: 'into their tag', ...refused, input: ({ tag }) => ({ connection: 'notion', containerTag: tag }) },
  ],
  'connections.getByID': [
    { how: 'by any id', ...refused, input: ({ target }) => ({ connection: target.id }) },
  ],
  'connections.delete': [
    { how: 'by any id', ...refused, input: ({ target }) => ({ connection: target.id }) },
    { how: 'in their tag', ...refused, input: ({ tag }) => ({ connection: 'notion', containerTags: [tag] }) },
  ],
  'connections.getByTag': ofProvider,
  'connections.listDocuments': ofProvider,
  'connections.import': ofProvider,
  'connections.configure': byId,
  'connections.resources': byId,
  'connections.previewChoice': byId,
  'connections.choicePage': onId,
  'connections.hostedPicker': onId,
  'connections.syncRuns': onId,
  'connections.items': onId,
  'connections.pause': onId,
  'connections.resume': onId,
  'connections.acceptRemovals': onId,
  'connections.reauthorize': onId,
  'connections.makeHook': onId,
  'connections.readHook': onId,
  'connections.include': [
    {
      how: 'by any id',
      ...refused,
      input: ({ target }) => ({ connectionId: target.id, items: [target.id] }),
    },
  ],
  'connections.preview': [{ how: 'of any source', ...refused, input: () => ({ provider: 's3' }) }],
  'connections.listOfEndUser': [{ how: 'all of them', ...refused, input: () => ({}) }],
};
