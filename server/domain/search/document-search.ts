// The search of /v3: documents, each with the chunks that match in it.
// Find → fuse wordings → thresholds → rerank → group by document → present.
import type { SearchDocumentsInput } from '../../../tools/search/schemas/inputs.ts';
import type { ChunkWithDocument } from '../../adapters/store/ports/search.ts';
import { createResultExplainer, explanationField, type ResultExplainer } from './explain/explain.ts';
import { findCandidates, type SearchTarget, startQuery } from './find-candidates.ts';
import { rerank } from './options/rerank.ts';
import { searchAllWordings } from './options/rewrite-query.ts';
import { restrictionOf } from './query/restriction.ts';
import { evidenceBasis } from './query/search-mode.ts';
import { fuseWordings } from './ranking/fuse-wordings.ts';
import { speakersIn } from './ranking/priors.ts';
import type { RankedCandidate } from './ranking/rank.ts';
import { aboveThreshold, documentsAboveThreshold } from './ranking/thresholds.ts';
import { chunkPositions } from './results/chunk-positions.ts';
import { groupByDocument, matchesInContext } from './results/group-by-document.ts';
import {
  type DocumentHit,
  type DocumentResult,
  documentResult,
  rerankText,
  type ShownChunk,
} from './results/present.ts';
import type { SearchContext } from './search-context.ts';

type RankedPassages = readonly RankedCandidate<ChunkWithDocument>[];

const passageTarget = (
  { store, scope }: SearchContext,
  input: SearchDocumentsInput,
): SearchTarget<ChunkWithDocument> => {
  const restriction = restrictionOf(input);
  return {
    restriction,
    read: (ns) => store.passages(scope, restriction, ns),
    results: input.limit,
    counts: 'documents',
    documentMustExist: true,
  };
};

const findPassages = async (context: SearchContext, input: SearchDocumentsInput): Promise<RankedPassages> => {
  const target = passageTarget(context, input);
  const basis = evidenceBasis(input.searchMode);
  const found = await searchAllWordings<RankedPassages>(context, input, {
    find: (text) => findCandidates(startQuery(context, text, basis), target),
    speakers: (ranked) => speakersIn(ranked.map(({ candidate }) => candidate)),
  });
  return fuseWordings(found);
};

/** Leaves out chunks below their threshold, and documents whose best chunk is below theirs. */
const aboveThresholds = (
  { trace }: SearchContext,
  { chunkThreshold, documentThreshold }: SearchDocumentsInput,
  ranked: RankedPassages,
): RankedPassages => {
  const documents = documentsAboveThreshold(ranked, documentThreshold);
  const chunks = aboveThreshold(ranked, chunkThreshold);
  trace?.addStep('threshold', chunks);
  const above = chunks.filter(({ candidate }) => documents.has(candidate.document.n));
  trace?.addStep('documentThreshold', above);
  return above;
};

const bestDocuments = async (context: SearchContext, input: SearchDocumentsInput): Promise<DocumentHit[]> => {
  const { trace } = context;
  const found = await findPassages(context, input);
  trace?.addStep('found', found);
  const above = aboveThresholds(context, input, found);
  const { items, scores } = await rerank(context, input, above, ({ candidate }) => rerankText(candidate));
  for (const [{ candidate }, score] of scores) trace?.addRerankScore(candidate.n, score);
  const documents = groupByDocument(items, input.limit);
  trace?.addStep(
    'limit',
    documents.flatMap(({ hits }) => hits),
  );
  return documents;
};

const withExplanations = (
  result: DocumentResult,
  shown: readonly ShownChunk[],
  explain: ResultExplainer,
): DocumentResult => ({
  ...result,
  chunks: result.chunks.map((chunk, at) => {
    const n = shown[at]?.chunk.n;
    return n === undefined || !chunk.isRelevant ? chunk : { ...chunk, ...explanationField(explain, n) };
  }),
});

export const searchDocuments = async (
  context: SearchContext,
  input: SearchDocumentsInput,
): Promise<DocumentResult[]> => {
  const { store, scope, trace } = context;
  const documents = await bestDocuments(context, input);
  const ns = documents.map(({ document }) => document.n);
  const contents = input.includeFullDocs ? await store.contents(scope, ns) : null;
  const explain = trace && createResultExplainer(trace);
  const found = await Promise.all(
    documents.map(async (hit) => ({ hit, shown: await matchesInContext(context, hit, input.window) })),
  );
  const positions = await chunkPositions(
    context,
    found.flatMap(({ shown }) => shown.map(({ chunk }) => chunk)),
  );
  return found.map(({ hit, shown }) => {
    const result = documentResult(hit, shown, {
      summary: input.includeSummary,
      content: contents === null ? undefined : (contents.get(hit.document.n) ?? null),
      positions,
    });
    return explain === null ? result : withExplanations(result, shown, explain);
  });
};
