// Attacks on documents of others: by id, customId, tag, filter, path, list, in bulk and in batches.
import { COMMON_CUSTOM_ID, uploadedOf } from '../parties.ts';
import { type Attack, type Cast, filtersFor, namingTheirTag } from './attack.ts';

const text = ({ chance }: Cast): string => `Take this instead: ${chance.secret()}.`;
const newContent = (cast: Cast): object => ({ content: text(cast) });
const newFile = (cast: Cast): object => ({ file: text(cast) });

const anotherId = ({ target, chance }: Cast): string =>
  chance.pick([
    ` ${target.id}`,
    `${target.id}/`,
    target.id.slice(0, -1),
    `../documents/${target.id}`,
    `${target.id}' or '1'='1`,
    `${target.customId}\u200b`,
    '%',
  ]);

/** For operations on one document; `more` is what they do with it. */
const addressing = (more: (cast: Cast) => object = () => ({})): Attack[] => [
  { how: 'by its id', refused: 403, input: (cast) => ({ id: cast.target.id, ...more(cast) }) },
  { how: 'by its customId', refused: 404, input: (cast) => ({ id: secretCustomId(cast), ...more(cast) }) },
  {
    how: 'by something like its id',
    refused: 404,
    shows: 'nothing',
    input: (cast) => ({ id: anotherId(cast), ...more(cast) }),
  },
];

const theirCustomIds = ({ theirs }: Cast) => theirs.documents.map(({ customId }) => customId);

/** Not the one that everybody has. */
const secretCustomId = ({ target, theirs }: Cast): string =>
  target.customId === COMMON_CUSTOM_ID ? (theirs.documents[0]?.customId ?? '') : target.customId;

/** The same for operations that need a document with a file. */
const addressingUploaded = (): Attack[] =>
  addressing().map((attack) => ({
    ...attack,
    input: (cast) => attack.input({ ...cast, target: uploadedOf(cast.theirs) }),
  }));

const said = (cast: Cast) => [{ role: 'user', content: text(cast) }];

const memoryOf = ({ theirs, chance }: Cast) =>
  chance.pick([theirs.memories[0], theirs.memories[2]].flatMap((memory) => memory ?? []));

/** The control makes the same call as the owner, under exactly the tags of the memory. */
const replacing = (what: (cast: Cast) => object): Attack => ({
  how: 'with a fact that replaces a memory of theirs',
  refused: 404,
  refusedAlike: true,
  input: (cast) => {
    const memory = memoryOf(cast);
    const isOwner = memory.tags.every((tag) => cast.own.tags.includes(tag));
    return {
      ...what(cast),
      containerTags: [...(isOwner ? memory.tags : cast.own.tags)],
      facts: [{ content: text(cast), replaces: memory.id }],
    };
  },
});

/** Much like a statement of theirs, whose id and text must not be named as similar. */
const resembling = (what: (cast: Cast) => object): Attack => ({
  how: 'with a fact that resembles a memory of theirs',
  input: (cast) => ({
    ...what(cast),
    containerTag: cast.own.tags[0],
    facts: [{ content: 'The code of the vault is another one now.' }],
  }),
});

const planting = (attacks: Attack[]): Attack[] => attacks.map((attack) => ({ plants: 'in one', ...attack }));

/** Of a text and of a file alike. */
const adding = (what: (cast: Cast) => object): Attack[] =>
  planting([
    resembling(what),
    ...namingTheirTag((cast) => ({ ...what(cast) })),
    ...namingTheirTag((cast) => ({ ...what(cast), customId: secretCustomId(cast) })),
    {
      how: 'under their customId, naming a tag only where its key has several',
      input: (cast) => ({
        ...what(cast),
        customId: secretCustomId(cast),
        ...(cast.own.tags.length > 1 ? { containerTag: cast.own.tags[0] } : {}),
      }),
    },
    {
      how: 'under their customId with its own tags',
      plants: 'in several',
      input: (cast) => ({
        ...what(cast),
        customId: secretCustomId(cast),
        containerTags: [...cast.own.tags],
      }),
    },
    {
      how: 'under a customId that both have',
      input: (cast) => ({ ...what(cast), customId: COMMON_CUSTOM_ID, containerTag: cast.own.tags[0] }),
    },
    {
      how: 'under their id as a customId, at their path, replacing the whole',
      input: (cast) => ({
        ...what(cast),
        customId: cast.target.id,
        filepath: cast.target.filepath,
        metadata: { claude_memory_type: 'file', endUserId: cast.target.endUserId },
        containerTag: cast.own.tags[0],
      }),
    },
    {
      how: 'steering what is drawn from their tag',
      refused: 403,
      input: (cast) => ({ ...what(cast), entityContext: text(cast), containerTag: cast.tag }),
    },
  ]);

const batch: Attack[] = planting([
  ...namingTheirTag((cast) => ({ documents: [text(cast), newContent(cast)] })),
  {
    how: 'with one item for their tag among its own',
    refused: 403,
    input: (cast) => ({
      containerTag: cast.own.tags[0],
      documents: [text(cast), { ...newContent(cast), containerTag: cast.tag }, newContent(cast)],
    }),
  },
  {
    how: 'with their customIds',
    input: (cast) => ({
      containerTag: cast.own.tags[0],
      documents: cast.theirs.documents.map(({ customId }) => ({ ...newContent(cast), customId })),
    }),
  },
]);

const update: Attack[] = [
  ...addressing(newContent),
  ...addressing((cast) => ({ metadata: { endUserId: cast.chance.secret(), taken: true } })),
  ...addressing((cast) => ({ containerTags: [cast.own.tags[0]], customId: cast.chance.secret() })),
  ...addressing((cast) => ({ filepath: `/${cast.chance.secret()}` })),
  {
    how: 'moving theirs within their tags',
    refused: 403,
    input: ({ target, theirs }) => ({ id: target.id, containerTags: [...theirs.tags].reverse() }),
  },
  {
    how: 'moving its own into their tag',
    refused: 403,
    input: ({ own, theirs }) => ({ id: own.document().id, containerTag: theirs.tags[1] }),
  },
  {
    how: 'adding their tag to its own',
    refused: 403,
    input: ({ own, theirs }) => ({
      id: own.document().id,
      containerTags: [...own.tags, ...theirs.tags],
    }),
  },
  {
    how: 'giving its own their customId and path',
    plants: 'in one',
    input: ({ own, theirs }) => ({
      id: own.document().id,
      customId: theirs.documents[1]?.customId,
      filepath: theirs.documents[1]?.filepath,
    }),
  },
];

const deleteBulk: Attack[] = [
  {
    how: 'by their ids',
    refused: 403,
    input: ({ theirs }) => ({ ids: theirs.documents.map(({ id }) => id) }),
  },
  {
    how: 'by its own ids and theirs',
    input: ({ own, target }) => ({ ids: [own.document().id, target.id, own.document().id] }),
  },
  { how: 'by their customIds', input: (cast) => ({ ids: [secretCustomId(cast)] }) },
  { how: 'by something like their ids', shows: 'nothing', input: (cast) => ({ ids: [anotherId(cast)] }) },
  ...namingTheirTag(),
  { how: 'by their path', input: ({ target }) => ({ filepath: target.filepath }) },
  {
    how: 'by the folder they are in',
    input: ({ target }) => ({ filepath: target.filepath.replace(/[^/]+$/, '') }),
  },
  { how: 'by the folder that everything is in', input: () => ({ filepath: '/' }) },
];

const conversation: Attack[] = planting([
  replacing((cast) => ({ conversationId: cast.chance.secret(), messages: said(cast) })),
  ...namingTheirTag((cast) => ({ conversationId: cast.chance.secret(), messages: said(cast) })),
  {
    how: 'under their customId, naming their tag',
    refused: 403,
    input: (cast) => ({ conversationId: secretCustomId(cast), messages: said(cast), containerTag: cast.tag }),
  },
  {
    how: 'under their customId with its own tags',
    plants: 'in several',
    input: (cast) => ({
      conversationId: secretCustomId(cast),
      messages: said(cast),
      containerTags: [...cast.own.tags],
    }),
  },
]);

const everything = { includeContent: true, limit: 1100, sort: 'updatedAt' };

const list: Attack[] = [
  ...namingTheirTag(() => everything),
  ...namingTheirTag((cast) => ({ ...everything, operator: 'AND', filters: filtersFor(cast) }), {
    shows: 'answer',
  }),
  { how: 'naming no tag', input: () => everything },
  { how: 'of its own tags', input: ({ own }) => ({ ...everything, containerTags: [...own.tags] }) },
  {
    how: 'of its own tags with a filter for theirs',
    input: (cast) => ({ ...everything, containerTags: [...cast.own.tags], filters: filtersFor(cast) }),
  },
  { how: 'with a filter for theirs', input: (cast) => ({ ...everything, filters: filtersFor(cast) }) },
  { how: 'by their path', input: ({ target }) => ({ ...everything, filepath: target.filepath }) },
  { how: 'by the folder that everything is in', input: () => ({ ...everything, filepath: '/' }) },
  {
    how: 'by status, page by page',
    shows: 'answer',
    input: ({ chance }) => ({
      includeContent: 'true',
      status: chance.pick(['done', 'failed', 'processing']),
      page: 1 + chance.below(4),
      limit: 1 + chance.below(5),
      order: 'asc',
    }),
  },
];

/** A retry of a document that is done changes nothing. */
const onlyAnswering = (attack: Attack): Attack => ({ shows: 'answer', ...attack });

const retryBulk: Attack[] = [
  ...namingTheirTag(),
  ...namingTheirTag((cast) => ({ operator: 'AND', filters: filtersFor(cast) })),
  { how: 'naming no tag', input: () => ({ status: ['failed', 'queued', 'done'] }) },
  { how: 'by their path', input: ({ target }) => ({ filepath: target.filepath, status: 'done' }) },
  { how: 'with a filter for theirs', input: (cast) => ({ filters: filtersFor(cast), status: 'done' }) },
];

/** The same lists, with what was drawn from each document. */
const graph: Attack[] = [
  ...namingTheirTag(() => ({ limit: 1100 })),
  { how: 'naming no tag', input: () => ({ limit: 1100, sort: 'updatedAt' }) },
  { how: 'of its own tags', input: ({ own }) => ({ limit: 1100, containerTags: [...own.tags] }) },
  { how: 'of what was told directly', input: () => ({ limit: 1100, sources: ['memories'] }) },
];

const idsOf = ({ theirs }: Cast) => theirs.documents.map(({ id }) => id);

const byIds: Attack[] = [
  ...namingTheirTag((cast) => ({ ids: idsOf(cast) })),
  { how: 'by their ids', input: (cast) => ({ ids: idsOf(cast) }) },
  {
    how: 'by their customIds',
    input: (cast) => ({ ids: theirCustomIds(cast), by: 'customId' }),
  },
  {
    how: 'by their ids in its own tags',
    input: (cast) => ({ ids: idsOf(cast), containerTags: [...cast.own.tags] }),
  },
];

/** A document that is processed is theirs like any other. */
const processing: Attack[] = [
  ...namingTheirTag(),
  { how: 'naming no tag', input: () => ({}) },
  { how: 'of its own tags', input: ({ own }: Cast) => ({ containerTags: [...own.tags] }) },
].map((attack) => ({ ...attack, duringImport: true }));

export const onDocuments: Readonly<Record<string, readonly Attack[]>> = {
  'documents.add': [...adding(newContent), replacing(newContent)],
  'documents.uploadFile': [...adding(newFile), replacing(newFile)],
  'documents.fileUrl': addressingUploaded(),
  'documents.batchAdd': batch,
  'documents.get': addressing(),
  'documents.chunks': addressing(),
  'documents.update': update,
  'documents.delete': addressing(),
  'documents.deleteBulk': deleteBulk,
  'documents.retry': addressing().map(onlyAnswering),
  'documents.retryBulk': retryBulk.map(onlyAnswering),
  'documents.list': list,
  'documents.listByQuery': list,
  'documents.listProcessing': processing,
  'documents.listWithMemories': graph,
  'documents.byIds': byIds,
  'conversations.add': conversation,
};
