// The search of /v3: documents, each with the chunks that match in it.
import type { SearchDocumentsInput } from '../../../tools/shared/search.ts';
import type { Passage, Restriction } from '../../adapters/store/port.ts';
import type { Scope } from '../../lib/scope.ts';
import { byDocument, matchesInContext } from './documents.ts';
import { explained, partsFrom } from './explain.ts';
import { find, type Target } from './find.ts';
import { fuse } from './fuse.ts';
import type { Notes } from './notes.ts';
import { basisOf, restrictionOf } from './plan.ts';
import {
  type DocumentHit,
  type DocumentResult,
  documentResult,
  judgedText,
  type ShownChunk,
} from './present.ts';
import { speakersIn } from './priors.ts';
import type { Ranked } from './rank.ts';
import type { RecallDeps } from './recall.ts';
import { rerank } from './rerank.ts';
import { inSeveralWordings } from './reword.ts';
import type { Watch } from './watch.ts';

export interface DocumentRequest {
  scope: Scope;
  input: SearchDocumentsInput;
  signal: AbortSignal;
  notes: Notes;
  watch: Watch | null;
}

const targetOf = (
  { store }: RecallDeps,
  { scope, input }: DocumentRequest,
  restriction: Restriction,
): Target<Passage> => ({
  restriction,
  read: (ns) => store.passages(scope, restriction, ns),
  results: input.limit,
  counts: 'documents',
  documentMustExist: true,
});

async function findPassages(deps: RecallDeps, request: DocumentRequest): Promise<readonly Ranked<Passage>[]> {
  const { scope, input, signal, watch } = request;
  const target = targetOf(deps, request, restrictionOf(input));
  const basis = basisOf(input.searchMode);
  const found = await inSeveralWordings<readonly Ranked<Passage>[]>(
    deps,
    input,
    {
      find: (text) => find(deps, { scope, text, basis, signal, watch }, target),
      speakers: (ranked) => speakersIn(ranked.map(({ unit }) => unit)),
    },
    request,
  );
  return fuse(found);
}

/** Leaves out chunks below the floor, and documents whose best chunk is below theirs. */
function aboveThresholds(
  ranked: readonly Ranked<Passage>[],
  { input, watch }: DocumentRequest,
): Ranked<Passage>[] {
  const good = ranked.filter(({ similarity }) => similarity >= input.documentThreshold);
  const documents = new Set(good.map(({ unit }) => unit.document.n));
  const chunks = ranked.filter(({ similarity }) => similarity >= input.chunkThreshold);
  watch?.passed('threshold', chunks);
  const above = chunks.filter(({ unit }) => documents.has(unit.document.n));
  watch?.passed('documentThreshold', above);
  return above;
}

async function bestDocuments(deps: RecallDeps, request: DocumentRequest): Promise<DocumentHit[]> {
  const { input, watch } = request;
  const ranked = await findPassages(deps, request);
  watch?.passed('found', ranked);
  const above = aboveThresholds(ranked, request);
  const { items, scores } = await rerank(deps, input, above, ({ unit }) => judgedText(unit), request);
  for (const [{ unit }, score] of scores) watch?.rerankedTo(unit.n, score);
  const hits = byDocument(items, input.limit);
  watch?.passed(
    'limit',
    hits.flatMap((hit) => hit.hits),
  );
  return hits;
}

const withExplanations = (
  result: DocumentResult,
  shown: readonly ShownChunk[],
  explain: ReturnType<typeof partsFrom>,
): DocumentResult => ({
  ...result,
  chunks: result.chunks.map((chunk, at) => {
    const n = shown[at]?.chunk.n;
    return n === undefined || !chunk.isRelevant ? chunk : { ...chunk, ...explained(explain, n) };
  }),
});

export async function searchDocuments(deps: RecallDeps, request: DocumentRequest): Promise<DocumentResult[]> {
  const { scope, input, watch } = request;
  const hits = await bestDocuments(deps, request);
  const ns = hits.map(({ document }) => document.n);
  const contents = input.includeFullDocs ? await deps.store.contents(scope, ns) : null;
  const explain = watch && partsFrom(watch);
  return Promise.all(
    hits.map(async (hit) => {
      const shown = await matchesInContext(deps.store, scope, hit, input.window);
      const result = documentResult(hit, shown, {
        summary: input.includeSummary,
        content: contents === null ? undefined : (contents.get(hit.document.n) ?? null),
      });
      return explain === null ? result : withExplanations(result, shown, explain);
    }),
  );
}
