// Attacks on memories of others: by id, exact text, tag, query, filter, list and review.
import { COMMON_STATEMENT, type PartyMemory } from '../parties.ts';
import { type Attack, type Cast, filtersFor, namingTheirTag } from './attack.ts';

/** A memory of one party alone: not the shared statement, and not the guess. */
const targetOf = ({ theirs, chance }: Cast): PartyMemory =>
  chance.pick([theirs.memories[0], theirs.memories[2]].flatMap((memory) => memory ?? []));

const guessOf = ({ theirs }: Cast): string => theirs.memories.at(-1)?.id ?? '';

const idsOf = ({ theirs }: Cast): string[] => theirs.memories.map(({ id }) => id);

const anotherId = (cast: Cast): string => {
  const { id } = targetOf(cast);
  return cast.chance.pick([
    id.slice(0, -1),
    ` ${id}`,
    `${id}' or '1'='1`,
    '%',
    cast.theirs.documents[0]?.id ?? '',
  ]);
};

const ownTag = ({ own }: Cast) => ({ containerTag: own.tags[0] });

/** For operations on one memory; `more` is what they do with it. */
const addressing = (more: (cast: Cast) => object): Attack[] => [
  ...namingTheirTag((cast) => ({ id: targetOf(cast).id, ...more(cast) })),
  {
    how: 'by its exact text, naming its tag',
    refused: 403,
    input: (cast) => {
      const { content, tags } = targetOf(cast);
      return { content, containerTag: tags[0], ...more(cast) };
    },
  },
  {
    how: 'by its id, in its own tags',
    refused: 403,
    input: (cast) => ({ containerTags: [...cast.own.tags], id: targetOf(cast).id, ...more(cast) }),
  },
  {
    how: 'by its exact text, in its own tags',
    refused: 404,
    input: (cast) => ({ containerTags: [...cast.own.tags], content: targetOf(cast).content, ...more(cast) }),
  },
  {
    how: 'by something like its id',
    refused: 404,
    shows: 'nothing',
    input: (cast) => ({ ...ownTag(cast), id: anotherId(cast), ...more(cast) }),
  },
  {
    how: 'by something like its text',
    refused: 404,
    shows: 'nothing',
    input: (cast) => ({ ...ownTag(cast), content: `${targetOf(cast).content.slice(0, 8)}%`, ...more(cast) }),
  },
];

const newContent = ({ chance }: Cast) => ({ newContent: `The code is ${chance.secret()} now.` });
const statements = ({ chance }: Cast) => ({ memories: [{ content: `Mine is ${chance.secret()}.` }] });

const create: Attack[] = [
  ...namingTheirTag(statements),
  {
    how: 'saying what both say, in its own tags',
    shows: 'change',
    input: (cast) => ({
      ...ownTag(cast),
      memories: [{ content: COMMON_STATEMENT, isStatic: true, metadata: { taken: true } }],
    }),
  },
];

const widely = { threshold: 0, maxForget: 500 };

const forgetMatching: Attack[] = [
  ...namingTheirTag((cast) => ({ ids: idsOf(cast) })),
  {
    how: 'by a query, naming their tag',
    refused: 403,
    input: ({ tag }) => ({ query: 'the code of the vault', containerTag: tag, ...widely }),
  },
  { how: 'by their ids, in its own tags', input: (cast) => ({ ...ownTag(cast), ids: idsOf(cast) }) },
  {
    how: 'by their ids, to see what they say',
    shows: 'secret',
    input: (cast) => ({ containerTags: [...cast.own.tags], ids: idsOf(cast), dryRun: true }),
  },
  {
    how: 'by a query, to see what they say',
    shows: 'secret',
    input: (cast) => ({ ...ownTag(cast), query: 'everything about the vault', dryRun: true, ...widely }),
  },
  {
    how: 'by a query, in its own tags',
    input: (cast) => ({
      containerTags: [...cast.own.tags],
      query: 'forget the code of the vault',
      ...widely,
    }),
  },
];

const everything = { limit: 1100, sort: 'updatedAt', order: 'asc' };

const list: Attack[] = [
  ...namingTheirTag(() => everything),
  {
    how: 'naming their tag, with a filter',
    refused: 403,
    shows: 'answer',
    input: (cast) => ({ ...everything, containerTags: [cast.tag], filters: filtersFor(cast) }),
  },
  { how: 'of its own tags', input: ({ own }) => ({ ...everything, containerTags: [...own.tags] }) },
  {
    how: 'of its own tags with a filter for theirs',
    input: (cast) => ({
      ...everything,
      containerTags: [...cast.own.tags],
      filters: { AND: [{ key: 'kind', value: 'vault' }] },
    }),
  },
  {
    how: 'of its own tags, page by page',
    shows: 'answer',
    input: ({ own, chance }) => ({
      containerTags: [...own.tags],
      page: 1 + chance.below(5),
      limit: 1 + chance.below(3),
    }),
  },
];

/** The route has one tag, in its path. */
const inPath = (attacks: Attack[]): Attack[] =>
  attacks.filter(({ how }) => how === 'naming their tag' || how.includes('looks like theirs'));

const inferred: Attack[] = [
  ...inPath(namingTheirTag()),
  { how: 'of its own tag', input: (cast) => ({ containerTag: cast.own.tags[0] }) },
];

/** Documents of others are not read again, and not counted: the answer holds numbers alone. */
const redraw: Attack[] = [
  ...namingTheirTag(undefined, { shows: 'answer' }),
  { how: 'naming no tag', shows: 'answer', input: () => ({}) },
];

const action = ({ chance }: Cast) => chance.pick(['approve', 'decline']);

const review: Attack[] = [
  ...inPath(namingTheirTag((cast) => ({ memoryId: guessOf(cast), action: action(cast) }))),
  {
    how: 'by its id, in its own tag',
    refused: 403,
    input: (cast) => ({ ...ownTag(cast), memoryId: guessOf(cast), action: action(cast) }),
  },
  {
    how: 'by something like its id',
    refused: 404,
    shows: 'nothing',
    input: (cast) => ({ ...ownTag(cast), memoryId: anotherId(cast), action: action(cast) }),
  },
];

export const onMemories: Readonly<Record<string, readonly Attack[]>> = {
  'memories.add': create,
  'memories.updateMemory': addressing(newContent),
  'memories.forget': addressing(() => ({ reason: 'not true' })),
  'memories.forgetMatching': forgetMatching,
  'memories.list': list,
  'memories.inferred': inferred,
  'memories.review': review,
  'memories.redraw': redraw,
  'memories.redrawStatus': redraw,
};
