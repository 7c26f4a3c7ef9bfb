// Inputs of both searches.
import { z } from 'zod';
import { filepathFilter } from '../../documents/schemas/content.ts';
import { filters } from '../../shared/filters.ts';
import { flag, fraction, wholeNumberField } from '../../shared/primitives.ts';
import { joinTags, tagFields } from '../../shared/tags.ts';

const off = (sentence: string) => flag.prefault(false).describe(sentence);

/** Fields that request an explanation. */
const explainFields = {
  explain: off('Adds the field explain: the evidence of each result, and the steps that led to the answer.'),
  explainId: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe(
      'The id or customId of a document, or the id of a chunk or a memory. The field explain.about then says why it is not in the results.',
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

/** Combines `window` and `onlyMatchingChunks`; `usual` is the default. */
const windowWithDefault =
  (usual: number) =>
  <Input extends Surroundings>({ window, onlyMatchingChunks, ...rest }: Input) => ({
    ...rest,
    window: onlyMatchingChunks ? 0 : (window ?? (onlyMatchingChunks === false ? USUAL_WINDOW : usual)),
  });

/** Fields of both searches. */
const searchFields = {
  q: z
    .string()
    .min(1)
    .max(10_000)
    .refine((text) => /\S/.test(text), { error: 'must not be blank' })
    .describe('The query: a question, words or a code. At most 10,000 characters.'),
  ...tagFields,
  docId: z.string().min(1).max(255).optional().describe('Searches one document, by its id or customId.'),
  endUserId: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('Only documents with this value in the metadata key endUserId.'),
  filters: filters.optional(),
  filepath: filepathFilter.optional(),
  limit: wholeNumberField(1, 100).prefault(10).describe('The maximum number of results, 1–100.'),
  window: wholeNumberField(0, WIDEST_WINDOW)
    .optional()
    .describe(
      `The number of neighbours returned around a match, 0–${WIDEST_WINDOW}: that many messages of a conversation on each side, or half as many passages of other text. Default: 0 if onlyMatchingChunks is true, otherwise ${USUAL_WINDOW}.`,
    ),
  chunkThreshold: fraction.default(0).describe('The lowest score of a chunk, 0–1.'),
  documentThreshold: fraction.default(0).describe('The lowest score of the best chunk of a document, 0–1.'),
  rerank: off(
    'Orders the best results again with a reranker, if one is set; a setting can ask for it in every search. The set of results and their similarity stay the same.',
  ),
  rewriteQuery: off(
    'Searches for several wordings of the query and merges the results. A language model writes the wordings, if one is configured; otherwise they come from the dates and speakers in the query.',
  ),
};

const searchMode = z.enum(['memories', 'hybrid', 'documents', 'semantic', 'keyword']);

export const searchDocumentsInput = z
  .object({
    ...searchFields,
    searchMode: searchMode
      .default('documents')
      .describe('semantic: by meaning only; keyword: by words only; any other value: by both.'),
    onlyMatchingChunks: onlyMatchingChunks(
      'False: the neighbours of a match are returned too, marked isRelevant: false.',
      true,
    ),
    includeFullDocs: off('Adds the full content of each document.'),
    includeSummary: off('Adds the summary of each document.'),
    include: z.object(explainFields).prefault({}).describe('Additional parts of the answer.'),
    categoriesFilter: z
      .array(z.string())
      .optional()
      .describe('Accepted for older clients; ignored.')
      .meta({ deprecated: true }),
  })
  .transform(joinTags)
  .transform(windowWithDefault(0));
export type SearchDocumentsInput = z.output<typeof searchDocumentsInput>;

const include = z
  .object({
    documents: off('Adds the title, type and metadata of the source documents.'),
    summaries: off('Adds the summaries of the source documents.'),
    relatedMemories: off('Adds the earlier versions and the relations of each memory.'),
    forgottenMemories: off(
      'Also finds forgotten and expired memories, and shows chunks with what is forgotten in them.',
    ),
    chunks: off('Deprecated: use searchMode hybrid. Adds the source chunks of each memory.'),
    ...explainFields,
  })
  .prefault({})
  .describe('Additional parts of each result.');

export const searchMemoriesInput = z
  .object({
    ...searchFields,
    searchMode: searchMode
      .default('memories')
      .describe(
        'memories: memories, and the chunks of documents without memories; documents: chunks only; hybrid: both, where a memory and a chunk that states it count as one result; semantic and keyword: like hybrid, by meaning only or by words only.',
      ),
    threshold: fraction.default(0.6).describe('The lowest similarity of a result, 0–1.'),
    onlyMatchingChunks: onlyMatchingChunks('True: chunks are returned without their neighbours.', false),
    include,
    aggregate: off(
      'A language model may add memories that combine several results, if a model is configured.',
    ),
  })
  .transform(joinTags)
  .transform(windowWithDefault(USUAL_WINDOW));
export type SearchMemoriesInput = z.output<typeof searchMemoriesInput>;
