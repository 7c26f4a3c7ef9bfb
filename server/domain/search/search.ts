// Search as operations see it: the document search of /v3 and the memory search of /v4.
import type { SearchDocumentsInput, SearchMemoriesInput } from '../../../tools/shared/search.ts';
import type { SearchDocumentsOutput, SearchMemoriesOutput } from '../../../tools/shared/search-outputs.ts';
import type { SearchModel } from '../../adapters/model/search-port.ts';
import type { Reranker } from '../../adapters/rerank/port.ts';
import type { MemoryStore } from '../../adapters/store/memory-port.ts';
import type { Passage, SearchStore } from '../../adapters/store/port.ts';
import type { RecallStore } from '../../adapters/store/recall-port.ts';
import type { VectorIndex } from '../../adapters/vectors/port.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Caller } from '../access/caller.ts';
import { byDocument, matchesInContext, matchesOnly } from './documents.ts';
import { find, type Target } from './find.ts';
import { fuse } from './fuse.ts';
import { createNotes, type Notes } from './notes.ts';
import { basisOf, restrictionOf, SEARCH_LIMITS, type SearchLimits } from './plan.ts';
import { documentResult, judgedText } from './present.ts';
import { speakersIn } from './priors.ts';
import type { Ranked } from './rank.ts';
import {
  type FoundMemory,
  findMemories,
  type MemoryQuery,
  type RecallDeps,
  searchMemories,
} from './recall.ts';
import { rerank } from './rerank.ts';
import { inSeveralWordings } from './reword.ts';
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
  /** Judges results again where a search asks for it; left out or null: none is set. */
  reranker?: Reranker | null;
  /** Rewords queries and puts results together where a search asks for it; left out or null: none is set. */
  model?: SearchModel | null;
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

interface DocumentRequest {
  scope: Scope;
  input: SearchDocumentsInput;
  signal: AbortSignal;
  notes: Notes;
}

async function findPassages(deps: RecallDeps, request: DocumentRequest): Promise<readonly Ranked<Passage>[]> {
  const { scope, input, signal } = request;
  const restriction = restrictionOf(input);
  const target: Target<Passage> = {
    restriction,
    read: (ns) => deps.store.passages(scope, restriction, ns),
    results: input.limit,
    counts: 'documents',
    documentMustExist: true,
  };
  const found = await inSeveralWordings<readonly Ranked<Passage>[]>(
    deps,
    input,
    {
      find: (text) => find(deps, { scope, text, basis: basisOf(input.searchMode), signal }, target),
      speakers: (ranked) => speakersIn(ranked.map(({ unit }) => unit)),
    },
    request,
  );
  return fuse(found);
}

async function searchDocuments(
  deps: RecallDeps,
  request: DocumentRequest,
): Promise<SearchDocumentsOutput['results']> {
  const { scope, input } = request;
  const ranked = await findPassages(deps, request);
  const above = aboveThresholds(ranked, input.chunkThreshold, input.documentThreshold);
  const { items } = await rerank(deps, input, above, ({ unit }) => judgedText(unit), request);
  const hits = byDocument(items, input.limit);
  const ns = hits.map(({ document }) => document.n);
  const contents = input.includeFullDocs ? await deps.store.contents(scope, ns) : null;
  return Promise.all(
    hits.map(async (hit) =>
      documentResult(
        hit,
        input.onlyMatchingChunks ? matchesOnly(hit) : await matchesInContext(deps.store, scope, hit),
        {
          summary: input.includeSummary,
          content: contents === null ? undefined : (contents.get(hit.document.n) ?? null),
        },
      ),
    ),
  );
}

export function createSearch({ now, limits, ...parts }: SearchDeps): Search {
  const deps: RecallDeps = {
    ...parts,
    reranker: parts.reranker ?? null,
    model: parts.model ?? null,
    now,
    limits: { ...SEARCH_LIMITS, ...limits },
  };

  async function timed<Result>(run: (notes: Notes) => Promise<Result[]>) {
    const start = now();
    const notes = createNotes();
    const results = await run(notes);
    return {
      results,
      timing: Math.max(0, now() - start),
      total: results.length,
      ...(notes.all.length === 0 ? {} : { notes: [...notes.all] }),
    };
  }

  const search: Search = {
    documents: ({ scope }, input, signal) =>
      timed((notes) => searchDocuments(deps, { scope, input, signal, notes })),
    memories: ({ scope }, input, signal) =>
      timed((notes) => searchMemories(deps, { scope, input, signal, notes })),
    findMemories: (caller, query, signal) => findMemories(deps, caller.scope, query, signal),
  };
  return steady(search, () => deps.space()?.id ?? null);
}
