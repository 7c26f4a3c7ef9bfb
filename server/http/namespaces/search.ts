// Searching one namespace.
import { z } from 'zod';
import { searchMemoriesInput } from '../../../tools/search/schemas/inputs.ts';
import type { SearchMemoriesOutput } from '../../../tools/search/schemas/outputs.ts';
import { fraction, time, wholeNumberField } from '../../../tools/shared/primitives.ts';
import { relatedAnswer, sourceAnswer, toRelativeAnswer, toSourceAnswer } from './answers.ts';
import { namespace } from './fields.ts';
import { filter } from './filter.ts';
import { insideNamespace } from './row.ts';

const asked = searchMemoriesInput.in.in.shape;

const include = z
  .object({
    documents: z.boolean().default(false),
    related: z.boolean().default(false),
    forgotten: z.boolean().default(false),
  })
  .prefault({});

const searchInput = z.object({
  namespace,
  query: asked.q,
  filter,
  searchMode: z.enum(['hybrid', 'memories', 'chunks']).default('hybrid'),
  limit: wholeNumberField(1, 100).prefault(10),
  include,
  threshold: fraction.default(0.3),
  rerank: z.enum(['none', 'order', 'aggregate']).default('none'),
  rewriteQuery: z.boolean().default(false),
});

const result = z.object({
  id: z.string(),
  memory: z.string().optional(),
  chunk: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()),
  similarity: fraction,
  isLatest: z.boolean(),
  isInference: z.boolean(),
  system: z.object({ updatedAt: time }),
  included: z.object({ related: relatedAnswer.optional(), document: sourceAnswer.optional() }).optional(),
});

type Found = SearchMemoriesOutput['results'][number];

const relatedOf = ({ context = {} }: Found): z.input<typeof relatedAnswer> => ({
  parents: (context.parents ?? []).map(toRelativeAnswer),
  children: (context.children ?? []).map(toRelativeAnswer),
  siblings: (context.related ?? []).map(toRelativeAnswer),
});

const includedFor = (found: Found, { documents, related }: z.output<typeof include>) => {
  const [source] = found.documents ?? [];
  return {
    ...(related && found.memory !== undefined ? { related: relatedOf(found) } : {}),
    ...(documents && source !== undefined ? { document: toSourceAnswer(source) } : {}),
  };
};

const toResult = (found: Found, wanted: z.output<typeof include>): z.input<typeof result> => {
  const { id, memory, chunk, similarity, updatedAt, isForgotten = false, isInference = false } = found;
  return {
    ...{ id, memory, chunk, similarity, isInference },
    metadata: found.metadata ?? {},
    isLatest: !isForgotten,
    system: { updatedAt },
    ...(wanted.documents || wanted.related ? { included: includedFor(found, wanted) } : {}),
  };
};

export const searchNamespace = insideNamespace({
  name: 'namespaces.search',
  summary: 'client.search',
  rest: { method: 'POST', path: '/ns/{namespace}/search', status: 200 },
  permission: 'read',
  searches: true,
  input: searchInput,
  output: z.object({ results: z.array(result), searchTime: z.number() }),
  async run(service, { include: wanted, ...input }, caller, signal) {
    const { namespace: containerTag, query: q, filter: filters, searchMode, rerank } = input;
    const { limit, threshold, rewriteQuery } = input;
    const { documents, related: relatedMemories, forgotten: forgottenMemories } = wanted;
    const search = searchMemoriesInput.parse({
      ...{ q, containerTag, filters, limit, threshold, rewriteQuery },
      searchMode: searchMode === 'chunks' ? 'documents' : searchMode,
      rerank: rerank !== 'none',
      aggregate: rerank === 'aggregate',
      include: { documents, summaries: documents, relatedMemories, forgottenMemories },
    });
    const { results, timing } = await service.search.memories(caller, search, signal);
    return { results: results.map((found) => toResult(found, wanted)), searchTime: timing };
  },
});
