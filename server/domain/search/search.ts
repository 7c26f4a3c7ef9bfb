// Search as operations see it: the document search of /v3 and the memory search of /v4.
import type { SearchDocumentsInput, SearchMemoriesInput } from '../../../tools/shared/search.ts';
import type { SearchDocumentsOutput, SearchMemoriesOutput } from '../../../tools/shared/search-outputs.ts';
import type { MemoryStore } from '../../adapters/store/memory-port.ts';
import type { Passage, SearchStore } from '../../adapters/store/port.ts';
import type { RecallStore } from '../../adapters/store/recall-port.ts';
import type { VectorIndex } from '../../adapters/vectors/port.ts';
import type { Caller } from '../access/caller.ts';
import { byDocument, matchesInContext, matchesOnly } from './documents.ts';
import { type FindDeps, find } from './find.ts';
import { basisOf, restrictionOf, SEARCH_LIMITS, type SearchLimits } from './plan.ts';
import { documentResult } from './present.ts';
import type { Ranked } from './rank.ts';
import {
  type FoundMemory,
  findMemories,
  type MemoryQuery,
  type RecallDeps,
  searchMemories,
} from './recall.ts';
import type { ActiveSpace } from './semantic.ts';
import { steady } from './steady.ts';

export type { FoundMemory, MemoryQuery } from './recall.ts';
export type { ActiveSpace } from './semantic.ts';

export interface Search {
  documents(caller: Caller, input: SearchDocumentsInput, signal: AbortSignal): Promise<SearchDocumentsOutput>;
  memories(caller: Caller, input: SearchMemoriesInput, signal: AbortSignal): Promise<SearchMemoriesOutput>;
  /** For other parts of the service: the memories themselves, best first. */
  findMemories(caller: Caller, query: MemoryQuery, signal: AbortSignal): Promise<FoundMemory[]>;
}

export interface SearchDeps {
  store: SearchStore;
  memories: MemoryStore;
  recall: RecallStore;
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

/** Leaves out chunks below the floor, and documents whose best chunk is below theirs. */
function aboveThresholds(
  ranked: readonly Ranked<Passage>[],
  chunkFloor: number,
  documentFloor: number,
): Ranked<Passage>[] {
  const documents = new Set(
    ranked.filter(({ similarity }) => similarity >= documentFloor).map(({ unit }) => unit.document.n),
  );
  return ranked.filter(({ unit, similarity }) => similarity >= chunkFloor && documents.has(unit.document.n));
}

async function searchDocuments(
  deps: FindDeps,
  caller: Caller,
  input: SearchDocumentsInput,
  signal: AbortSignal,
): Promise<SearchDocumentsOutput['results']> {
  const { scope } = caller;
  const restriction = restrictionOf(input);
  const asked = { scope, text: input.q, basis: basisOf(input.searchMode), signal };
  const ranked = await find(deps, asked, {
    restriction,
    read: (ns) => deps.store.passages(scope, restriction, ns),
    results: input.limit,
    counts: 'documents',
    documentMustExist: true,
  });
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

export function createSearch({ now, limits, ...parts }: SearchDeps): Search {
  const deps: RecallDeps = { ...parts, limits: { ...SEARCH_LIMITS, ...limits } };

  async function timed<Result>(run: () => Promise<Result[]>) {
    const start = now();
    const results = await run();
    return { results, timing: Math.max(0, now() - start), total: results.length };
  }

  const search: Search = {
    documents: (caller, input, signal) => timed(() => searchDocuments(deps, caller, input, signal)),
    memories: (caller, input, signal) =>
      timed(() => searchMemories(deps, { scope: caller.scope, input, signal })),
    findMemories: (caller, query, signal) => findMemories(deps, caller.scope, query, signal),
  };
  return steady(search, () => deps.space()?.id ?? null);
}
