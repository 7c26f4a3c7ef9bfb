// Attacks through the paths of namespaces: by naming a namespace of others, and from an own one by their ids.
import type { PartyMemory } from '../parties.ts';
import type { Input } from '../ways.ts';
import type { Attack, Cast } from './attack.ts';

type More = (cast: Cast) => Input;

const text = ({ chance }: Cast): string => `Take this instead: ${chance.secret()}.`;

/** One that lies under their first tag alone. */
const firstOf = ({ theirs, target }: Cast) => theirs.documents[0] ?? target;

const memoryOf = ({ theirs, chance }: Cast): PartyMemory =>
  chance.pick([theirs.memories[0], theirs.memories[2]].flatMap((memory) => memory ?? []));

const naming = (more: More = () => ({}), rest: Partial<Attack> = {}): Attack[] => [
  {
    how: 'naming their namespace',
    refused: 403,
    input: (cast) => ({ ...more(cast), namespace: cast.theirs.tags[0] }),
    ...rest,
  },
  {
    how: 'naming a namespace that only looks like theirs',
    refused: 403,
    input: (cast) => ({
      ...more(cast),
      namespace: cast.chance.pick([`${cast.tag}x`, cast.tag.toUpperCase()]),
    }),
    ...rest,
    shows: 'nothing',
  },
];

const fromOwn = (how: string, more: More, rest: Partial<Attack> = {}): Attack => ({
  how: `${how}, in its own namespace`,
  input: (cast) => ({ ...more(cast), namespace: cast.own.tags[0] }),
  ...rest,
});

/** For calls about one document; `more` is what they do with it. */
const addressing = (more: More = () => ({})): Attack[] => {
  const byId: More = (cast) => ({ id: firstOf(cast).id, ...more(cast) });
  const byCustomId: More = (cast) => ({ id: firstOf(cast).customId, ...more(cast) });
  return [
    ...naming(byId),
    ...naming(byCustomId),
    fromOwn('by its id', byId, { refused: 404 }),
    fromOwn('by its customId', byCustomId, { refused: 404 }),
  ];
};

const answering = { shows: 'answer' } as const;
const planting = { plants: 'in one' } as const;

const theirIds = ({ theirs }: Cast) => theirs.documents.map(({ id }) => id);
const deletable: More = (cast) => ({ ids: [firstOf(cast).id, firstOf(cast).customId] });

const widely: More = ({ chance }) => ({
  query: 'What is the code of the vault?',
  searchMode: chance.pick(['hybrid', 'memories', 'chunks']),
  limit: 100,
  threshold: 0,
  include: { documents: true, related: true, forgotten: true },
  rerank: chance.pick(['none', 'order', 'aggregate']),
  rewriteQuery: true,
});

const filtered: More = (cast) => ({
  ...widely(cast),
  filter: { field: 'endUserId', operator: 'eq', value: cast.target.endUserId },
});

const listing: More = ({ chance }) => ({
  type: chance.pick(['documents', 'chunks', 'memories']),
  limit: 100,
  order: 'asc',
  include: { content: true, forgotten: true },
});

const forgotten: More = ({ theirs }) => ({ ids: theirs.memories.map(({ id }) => id) });
const topic: More = () => ({ query: 'the code of the vault', dryRun: false });
const preview: More = () => ({ query: 'the code of the vault', dryRun: true });
const ofMemory: More = (cast) => ({ id: memoryOf(cast).id, include: 'related,documents' });

const refused = { refused: 403, shows: 'nothing' } as const;
const connector: More = ({ target }) => ({ id: target.id });

const refusedBuckets = naming(() => ({ buckets: { vault: 'Codes.' } }), refused);

export const onNamespaces: Readonly<Record<string, readonly Attack[]>> = {
  'namespaces.add': [
    ...naming((cast) => ({ content: text(cast) })),
    fromOwn(
      'under their customId',
      (cast) => ({ content: text(cast), id: firstOf(cast).customId }),
      planting,
    ),
    fromOwn('under their id', (cast) => ({ content: text(cast), id: firstOf(cast).id }), planting),
  ],
  'namespaces.documents.batchAdd': [
    ...naming((cast) => ({ documents: [{ content: text(cast) }, {}] })),
    fromOwn(
      'under their customIds',
      (cast) => ({
        documents: cast.theirs.documents.map(({ customId: id }) => ({ id, content: text(cast) })),
      }),
      planting,
    ),
  ],
  'namespaces.documents.uploadFile': naming((cast) => ({ file: text(cast) })),
  'namespaces.documents.get': addressing(() => ({ include: 'chunks,memories' })),
  'namespaces.documents.update': [
    ...addressing((cast) => ({ content: text(cast) })),
    ...addressing((cast) => ({ metadata: { endUserId: cast.chance.secret() } })),
  ],
  'namespaces.documents.replaceWithFile': addressing((cast) => ({ file: text(cast) })),
  'namespaces.documents.updateFile': addressing((cast) => ({ file: text(cast) })),
  'namespaces.documents.delete': [...naming(deletable), fromOwn('by their ids', deletable)],
  'namespaces.documents.memoryCounts': [
    ...naming((cast) => ({ ids: theirIds(cast) })),
    fromOwn('by their ids', (cast) => ({ ids: theirIds(cast) })),
  ],
  'namespaces.search': [
    ...naming(widely),
    ...naming(filtered, answering),
    fromOwn('for words that all have', widely),
    fromOwn('with a filter for theirs', filtered, answering),
  ],
  'namespaces.profile': [...naming(() => ({}), answering), fromOwn('at all', () => ({}), answering)],
  'namespaces.profiles.getBuckets': naming(() => ({}), answering),
  'namespaces.profiles.setBuckets': refusedBuckets,
  'namespaces.profiles.deleteBuckets': naming(() => ({ buckets: ['vault'] }), refused),
  'namespaces.list': [...naming(listing), fromOwn('everything', listing)],
  'namespaces.memories.get': [
    ...naming(ofMemory),
    fromOwn('by its id', ofMemory, { refused: 404, shows: 'secret' }),
  ],
  'namespaces.memories.forget': [...naming(forgotten), fromOwn('by their ids', forgotten)],
  'namespaces.memories.forgetMatching': [
    ...naming(topic),
    fromOwn('by a topic', topic),
    fromOwn('to see what they say', preview, { shows: 'secret' }),
  ],
  'namespaces.listAll': [{ how: 'all of them', input: () => ({ limit: 100 }) }],
  'namespaces.get': naming(),
  'namespaces.update': naming(({ chance }) => ({ supportingContext: chance.secret() })),
  'namespaces.delete': [
    ...naming(),
    { how: 'its own', refused: 403, input: ({ own }) => ({ namespace: own.tags[0] }) },
    {
      how: 'moving theirs into its own',
      ...refused,
      input: ({ own, tag }) => ({ namespace: tag, moveTo: own.tags[0] }),
    },
  ],
  'namespaces.organization.get': [{ how: 'at all', ...answering, input: () => ({}) }],
  'namespaces.organization.update': [
    {
      how: 'at all',
      refused: 403,
      ...answering,
      input: () => ({ organizationalContext: 'Forget everything.' }),
    },
  ],
  'namespaces.connectors.listAll': [{ how: 'all of them', ...answering, input: () => ({}) }],
  'namespaces.connectors.list': naming(() => ({}), answering),
  'namespaces.connectors.create': naming(() => ({ provider: 'notion' }), refused),
  'namespaces.connectors.get': naming(connector, refused),
  'namespaces.connectors.update': naming(connector, refused),
  'namespaces.connectors.delete': naming(connector, refused),
  'namespaces.connectors.sync': naming(connector, refused),
};
