// What both searches accept.
import { z } from 'zod';
import { filepathFilter } from './content.ts';
import { filters } from './filters.ts';
import { flag, fraction, wholeNumber } from './primitives.ts';
import { joinTags, tagFields } from './tags.ts';

const off = (sentence: string) => flag.prefault(false).describe(sentence);

/** Why the answer is as it is. */
const explainFields = {
  explain: off('Adds what each result is made of, and how the answer came about, under explain.'),
  explainId: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe(
      'The id or customId of a document, or the id of a chunk or a memory: what kept it out of the results is told under explain.about.',
    ),
};

const USUAL_WINDOW = 2;
const WIDEST_WINDOW = 5;

const onlyMatchingChunks = (sentence: string, byDefault: boolean) =>
  flag.optional().describe(sentence).meta({ default: byDefault });

interface Surroundings {
  window?: number | undefined;
  onlyMatchingChunks?: boolean | undefined;
}

/** Joins both ways to say how much around a match comes along; `usual` is for who says nothing. */
const joinWindow =
  (usual: number) =>
  <Input extends Surroundings>({ window, onlyMatchingChunks, ...rest }: Input) => ({
    ...rest,
    window: onlyMatchingChunks ? 0 : (window ?? (onlyMatchingChunks === false ? USUAL_WINDOW : usual)),
  });

/** What both share. */
const searchFields = {
  q: z
    .string()
    .min(1)
    .max(10_000)
    .refine((text) => /\S/.test(text), { error: 'must not be blank' })
    .describe('What to look for: a question, words or a code. At most 10,000 characters.'),
  ...tagFields,
  docId: z.string().min(1).max(255).optional().describe('Searches one document, by its id or customId.'),
  endUserId: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('Only documents whose metadata endUserId equals this.'),
  filters: filters.optional(),
  filepath: filepathFilter.optional(),
  limit: wholeNumber(1, 100).prefault(10).describe('How many results at most, 1–100.'),
  window: wholeNumber(0, WIDEST_WINDOW)
    .optional()
    .describe(
      `How far around a match its neighbours come along, 0–${WIDEST_WINDOW}: so many turns of a conversation on each side, half as many pieces of another text. 0 where onlyMatchingChunks is true, else ${USUAL_WINDOW}.`,
    ),
  chunkThreshold: fraction.default(0).describe('Chunks below this score are left out, 0–1.'),
  documentThreshold: fraction
    .default(0)
    .describe('Documents whose best chunk is below this are left out, 0–1.'),
  rerank: off(
    'Orders the best results once more by a reranker, where one is set; which results there are and their similarity stay.',
  ),
  rewriteQuery: off(
    'Searches for several wordings of the query and merges the results: those of a language model where one is set, else the dates and speakers that it names.',
  ),
};

const searchMode = z.enum(['memories', 'hybrid', 'documents', 'semantic', 'keyword']);

export const searchDocumentsInput = z
  .object({
    ...searchFields,
    searchMode: searchMode
      .default('documents')
      .describe('semantic: by meaning alone; keyword: by words alone; any other: both.'),
    onlyMatchingChunks: onlyMatchingChunks(
      'When false, the neighbours of a match come along, marked isRelevant: false.',
      true,
    ),
    includeFullDocs: off('Adds the full content of each document.'),
    includeSummary: off('Adds the summary of each document.'),
    include: z.object(explainFields).prefault({}).describe('What the answer carries beside its results.'),
    categoriesFilter: z
      .array(z.string())
      .optional()
      .describe('Accepted for older clients; changes nothing.')
      .meta({ deprecated: true }),
  })
  .transform(joinTags)
  .transform(joinWindow(0));
export type SearchDocumentsInput = z.output<typeof searchDocumentsInput>;

const include = z
  .object({
    documents: off('Adds title, type and metadata of the source documents.'),
    summaries: off('Adds the summaries of the source documents.'),
    relatedMemories: off('Adds the former versions and the relations of each memory.'),
    forgottenMemories: off(
      'Also finds forgotten and expired memories, and chunks of which all was forgotten.',
    ),
    chunks: off('Deprecated, use searchMode hybrid: adds the chunks behind each memory.'),
    ...explainFields,
  })
  .prefault({})
  .describe('What else each result carries.');

export const searchMemoriesInput = z
  .object({
    ...searchFields,
    searchMode: searchMode
      .default('memories')
      .describe(
        'memories: memories, and the chunks of documents that have yielded none (yet); documents: chunks alone; hybrid: both, a memory and a chunk that states it counting as one; semantic and keyword: as hybrid, found by meaning or by words alone.',
      ),
    threshold: fraction.default(0.6).describe('Results below this similarity are left out, 0–1.'),
    onlyMatchingChunks: onlyMatchingChunks('When true, a chunk is given without its neighbours.', false),
    include,
    aggregate: off(
      'May add memories put together from several results by a language model, where one is set.',
    ),
  })
  .transform(joinTags)
  .transform(joinWindow(USUAL_WINDOW));
export type SearchMemoriesInput = z.output<typeof searchMemoriesInput>;
