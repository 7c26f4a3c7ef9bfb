// Search as operations see it: the document search of /v3 and the memory search of /v4.
import type { SearchDocumentsInput, SearchMemoriesInput } from '../../../tools/shared/search.ts';
import type { Explanation } from '../../../tools/shared/search-explain.ts';
import type { SearchDocumentsOutput, SearchMemoriesOutput } from '../../../tools/shared/search-outputs.ts';
import type { SearchModel } from '../../adapters/model/search-port.ts';
import type { Reranker } from '../../adapters/rerank/port.ts';
import type { MemoryStore } from '../../adapters/store/memory-port.ts';
import type { SearchStore } from '../../adapters/store/port.ts';
import type { RecallStore } from '../../adapters/store/recall-port.ts';
import type { VectorIndex } from '../../adapters/vectors/port.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Caller } from '../access/caller.ts';
import { searchDocuments } from './document-search.ts';
import { explanationFrom, partsFrom } from './explain.ts';
import { type FoundMemory, findMemories, type MemoryQuery } from './find-memories.ts';
import { createNotes, type Notes } from './notes.ts';
import { restrictionOf, SEARCH_LIMITS, type SearchLimits } from './plan.ts';
import { type RecallDeps, restrictionsOf, searchMemories } from './recall.ts';
import type { ActiveSpace } from './semantic.ts';
import { steady } from './steady.ts';
import { createWatch, type Watch } from './watch.ts';
import { type AskedAbout, whyNot } from './why-not.ts';

export type { FoundMemory, MemoryQuery } from './find-memories.ts';
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

/** What every search has beside its input. */
interface Beside {
  scope: Scope;
  signal: AbortSignal;
  notes: Notes;
  watch: Watch | null;
}

type Input = SearchDocumentsInput | SearchMemoriesInput;

async function explain(
  deps: RecallDeps,
  { scope, watch }: Beside,
  input: Input,
  restrictions: () => AskedAbout['restrictions'],
): Promise<{ explain?: Explanation }> {
  if (watch === null) return {};
  const { explainId: id } = input.include;
  const asked = { scope, input, watch, partsOf: partsFrom(watch) };
  const about =
    id === undefined ? {} : { about: await whyNot(deps, { ...asked, id, restrictions: restrictions() }) };
  return { explain: { ...explanationFrom(watch), ...about } };
}

export function createSearch({ now, limits, ...parts }: SearchDeps): Search {
  const deps: RecallDeps = {
    ...parts,
    reranker: parts.reranker ?? null,
    model: parts.model ?? null,
    now,
    limits: { ...SEARCH_LIMITS, ...limits },
  };

  async function answer<Result>(
    { scope }: Caller,
    input: Input,
    signal: AbortSignal,
    run: (beside: Beside) => Promise<Result[]>,
    restrictions: (beside: Beside) => AskedAbout['restrictions'],
  ) {
    const start = now();
    const notes = createNotes();
    const wanted = input.include.explain || input.include.explainId !== undefined;
    const beside: Beside = { scope, signal, notes, watch: wanted ? createWatch() : null };
    const results = await run(beside);
    const explanation = await explain(deps, beside, input, () => restrictions(beside));
    return {
      results,
      timing: Math.max(0, now() - start),
      total: results.length,
      ...(notes.all.length === 0 ? {} : { notes: [...notes.all] }),
      ...explanation,
    };
  }

  const search: Search = {
    documents: (caller, input, signal) =>
      answer(
        caller,
        input,
        signal,
        (beside) => searchDocuments(deps, { ...beside, input }),
        () => ({ chunks: restrictionOf(input), memories: null }),
      ),
    memories: (caller, input, signal) =>
      answer(
        caller,
        input,
        signal,
        (beside) => searchMemories(deps, { ...beside, input }),
        (beside) => restrictionsOf(deps, { ...beside, input }),
      ),
    findMemories: (caller, query, signal) => findMemories(deps, caller.scope, query, signal),
  };
  return steady(search, () => deps.space()?.id ?? null);
}
