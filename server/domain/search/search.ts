// Search as operations see it: the document search of /v3 and the memory search of /v4.
import type { SearchDocumentsInput, SearchMemoriesInput } from '../../../tools/shared/search.ts';
import type { SearchDocumentsOutput, SearchMemoriesOutput } from '../../../tools/shared/search-outputs.ts';
import type { SearchStore } from '../../adapters/store/port.ts';
import type { VectorIndex } from '../../adapters/vectors/port.ts';
import type { Caller } from '../access/caller.ts';
import { byDocument, matchesInContext, matchesOnly } from './documents.ts';
import { type FindDeps, find } from './find.ts';
import { basisOf, restrictionOf, SEARCH_LIMITS, type SearchLimits } from './plan.ts';
import { documentResult, memoryResult } from './present.ts';
import type { Ranked } from './rank.ts';
import type { ActiveSpace } from './semantic.ts';
import { inWindows, type Window } from './window.ts';

export type { ActiveSpace } from './semantic.ts';

export interface Search {
  documents(caller: Caller, input: SearchDocumentsInput, signal: AbortSignal): Promise<SearchDocumentsOutput>;
  memories(caller: Caller, input: SearchMemoriesInput, signal: AbortSignal): Promise<SearchMemoriesOutput>;
}

export interface SearchDeps {
  store: SearchStore;
  /** Null, failing or empty: wide scopes are compared exactly. */
  index: VectorIndex | null;
  /** Whether the index holds the space, but for what waits for it; left out: whenever it answers. */
  isWhole?: (space: number) => boolean;
  /** The space that serves; null: search by words alone. */
  space: () => ActiveSpace | null;
  now: () => number;
  /** Told when a search went on without a part that failed. */
  trouble: (sentence: string, cause: unknown) => void;
  limits?: Partial<SearchLimits>;
}

type Input = SearchDocumentsInput | SearchMemoriesInput;

const found = (
  deps: FindDeps,
  caller: Caller,
  input: Input,
  signal: AbortSignal,
  counts: 'passages' | 'documents',
) =>
  find(deps, {
    scope: caller.scope,
    restriction: restrictionOf(input),
    text: input.q,
    basis: basisOf(input.searchMode),
    results: input.limit,
    counts,
    documentMustExist: counts === 'documents',
    signal,
  });

/** Leaves out chunks below the floor, and documents whose best chunk is below theirs. */
function aboveThresholds(ranked: readonly Ranked[], chunkFloor: number, documentFloor: number): Ranked[] {
  const documents = new Set(
    ranked.filter(({ similarity }) => similarity >= documentFloor).map(({ passage }) => passage.document.n),
  );
  return ranked.filter(
    ({ passage, similarity }) => similarity >= chunkFloor && documents.has(passage.document.n),
  );
}

async function searchDocuments(
  deps: FindDeps,
  caller: Caller,
  input: SearchDocumentsInput,
  signal: AbortSignal,
): Promise<SearchDocumentsOutput['results']> {
  const ranked = await found(deps, caller, input, signal, 'documents');
  const hits = byDocument(
    aboveThresholds(ranked, input.chunkThreshold, input.documentThreshold),
    input.limit,
  );
  const ns = hits.map(({ document }) => document.n);
  const contents = input.includeFullDocs ? await deps.store.contents(caller.scope, ns) : null;
  return Promise.all(
    hits.map(async (hit) =>
      documentResult(
        hit,
        input.onlyMatchingChunks ? matchesOnly(hit) : await matchesInContext(deps.store, caller.scope, hit),
        {
          summary: input.includeSummary,
          content: contents === null ? undefined : (contents.get(hit.document.n) ?? null),
        },
      ),
    ),
  );
}

const alone = (ranked: readonly Ranked[], limit: number): Window[] =>
  ranked.slice(0, limit).map((hit) => ({ hit, shown: [hit.passage] }));

async function searchMemories(
  deps: FindDeps,
  caller: Caller,
  input: SearchMemoriesInput,
  signal: AbortSignal,
): Promise<SearchMemoriesOutput['results']> {
  const floor = Math.max(input.threshold, input.chunkThreshold);
  const ranked = aboveThresholds(
    await found(deps, caller, input, signal, 'passages'),
    floor,
    input.documentThreshold,
  );
  const windows = input.onlyMatchingChunks
    ? alone(ranked, input.limit)
    : await inWindows(deps.store, caller.scope, ranked, input.limit);
  const as = input.searchMode === 'memories' ? 'memory' : 'chunk';
  return windows.map(({ hit, shown }) => memoryResult(hit, shown, { as, include: input.include }));
}

export function createSearch({ now, limits, ...parts }: SearchDeps): Search {
  const deps: FindDeps = { ...parts, limits: { ...SEARCH_LIMITS, ...limits } };

  async function timed<Result>(run: () => Promise<Result[]>) {
    const start = now();
    const results = await run();
    return { results, timing: Math.max(0, now() - start), total: results.length };
  }

  return {
    documents: (caller, input, signal) => timed(() => searchDocuments(deps, caller, input, signal)),
    memories: (caller, input, signal) => timed(() => searchMemories(deps, caller, input, signal)),
  };
}
