// Attacks that search for texts of others: by exact words, meaning, document, path and metadata.
import { COMMON_CONTENT } from '../parties.ts';
import { type Attack, type Cast, filtersFor, namingTheirTag } from './attack.ts';

const modes = ['memories', 'documents', 'hybrid', 'semantic', 'keyword'] as const;

/** The texts that the attacker can know or guess: a secret itself, words that all have, a whole text, a description. */
const question = ({ target, theirs, chance }: Cast): string =>
  chance.pick([
    target.word === '' ? (theirs.documents[0]?.word ?? '') : target.word,
    target.content,
    COMMON_CONTENT,
    'What is the code of the vault?',
    'Which number opens the strongroom?',
    target.endUserId,
  ]);

/** Everything that a search can be asked to give. */
const widely = (cast: Cast, q = question(cast)) => ({
  q,
  limit: 100,
  threshold: 0,
  searchMode: cast.chance.pick(modes),
  onlyMatchingChunks: cast.chance.below(2) === 0,
  includeFullDocs: true,
  includeSummary: true,
  include: { documents: true, summaries: true, relatedMemories: true, forgottenMemories: true, chunks: true },
  rerank: true,
  rewriteQuery: true,
  aggregate: true,
});

const aboutTheVault = (cast: Cast) => widely(cast, 'What is the code of the vault?');

/** The answer may repeat the query, so the query contains no secret. */
const askingWhy = (cast: Cast, explainId: string) => ({
  ...aboutTheVault(cast),
  include: { ...widely(cast).include, explain: true, explainId },
});

const searches = (unknownDocument: Pick<Attack, 'refused'>): Attack[] => [
  ...namingTheirTag(widely, { shows: 'answer' }),
  ...namingTheirTag(aboutTheVault),
  { how: 'naming no tag', shows: 'answer', input: widely },
  { how: 'for words that all have', input: aboutTheVault },
  {
    how: 'for exactly their secret',
    input: (cast) => ({ ...widely(cast, cast.theirs.documents[0]?.word), searchMode: 'keyword' }),
  },
  {
    how: 'in its own tags',
    input: (cast) => ({ ...aboutTheVault(cast), containerTags: [...cast.own.tags] }),
  },
  {
    how: 'in their document, by its id',
    ...unknownDocument,
    shows: 'answer',
    input: (cast) => ({ ...widely(cast), docId: cast.target.id }),
  },
  {
    how: 'in their document, by its customId and in its own tags',
    ...unknownDocument,
    input: (cast) => ({
      ...aboutTheVault(cast),
      docId: cast.theirs.documents[0]?.customId,
      containerTags: [...cast.own.tags],
    }),
  },
  {
    how: 'with a filter for theirs',
    shows: 'answer',
    input: (cast) => ({ ...widely(cast), filters: filtersFor(cast) }),
  },
  {
    how: 'asking why their document is missing',
    shows: 'answer',
    input: (cast) => askingWhy(cast, cast.chance.pick([cast.target.id, cast.target.customId])),
  },
  {
    how: 'asking why their document is missing from its own tags',
    input: (cast) => ({ ...askingWhy(cast, cast.target.id), containerTags: [...cast.own.tags] }),
  },
  {
    how: 'for their end user',
    input: (cast) => ({ ...aboutTheVault(cast), endUserId: cast.theirs.documents[0]?.endUserId }),
  },
  {
    how: 'at their path',
    input: (cast) => ({ ...aboutTheVault(cast), filepath: cast.theirs.documents[0]?.filepath }),
  },
  {
    how: 'below the folder that everything is in',
    input: (cast) => ({ ...aboutTheVault(cast), filepath: '/' }),
  },
];

export const onSearches: Readonly<Record<string, readonly Attack[]>> = {
  'search.documents': searches({ refused: 404 }),
  'search.memories': searches({}),
};
