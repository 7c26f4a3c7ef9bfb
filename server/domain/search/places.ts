// Decides where a search runs: alone on the calling thread, which is the shorter way; beside others, or with a filter, whole on
// another thread, so that every core serves.
import { LRUCache } from 'lru-cache';
import type { SearchDocumentsInput, SearchMemoriesInput } from '../../../tools/search/schemas/inputs.ts';
import type { Scope } from '../../core/scope.ts';
import { nextTurn } from '../../lib/async/wait.ts';
import type { SearchSpace } from './evidence/semantic-evidence.ts';
import type { SearchLimits } from './query/plan.ts';

interface WholeSearchOf<Kind extends string, Input> {
  readonly kind: Kind;
  readonly input: Input;
  /** The space that serves; null: search by words alone. */
  readonly space: Omit<SearchSpace, 'embedder'> | null;
  readonly now: number;
  readonly limits: SearchLimits;
}

/** A search as it crosses threads. */
export type WholeSearch =
  | WholeSearchOf<'documents', SearchDocumentsInput>
  | WholeSearchOf<'memories', SearchMemoriesInput>;

/** Other threads that search. */
export interface SearchElsewhere {
  /** False: the present search has to stay on the calling thread. */
  mayRun(): boolean;
  /** False: a search would wait until they have started, which they do now. */
  warm(): boolean;
  /** Null: only the calling thread can run this search. */
  run(scope: Scope, search: WholeSearch): Promise<readonly unknown[] | null>;
}

export interface Places {
  run<Result>(
    scope: Scope,
    search: WholeSearch,
    here: () => Promise<readonly Result[]>,
  ): Promise<readonly Result[]>;
}

/** Scopes that only the calling thread can search, for so long: they may be too wide, and shrink. */
const HERE_FOR_MS = 60_000;
const MOST_SCOPES = 1_000;

export const createPlaces = (elsewhere: SearchElsewhere): Places => {
  const onlyHere = new LRUCache<string, true>({ max: MOST_SCOPES, ttl: HERE_FOR_MS });
  let running = 0;

  const tryElsewhere = async (scope: Scope, search: WholeSearch): Promise<readonly unknown[] | null> => {
    const key = JSON.stringify(scope.reads);
    if (onlyHere.has(key)) return null;
    const results = await elsewhere.run(scope, search);
    if (results === null) onlyHere.set(key, true);
    return results;
  };

  return {
    async run<Result>(scope: Scope, search: WholeSearch, here: () => Promise<readonly Result[]>) {
      running += 1;
      try {
        // Calls that came at the same moment are counted too.
        await nextTurn();
        const isAside = search.input.filters !== undefined || (running > 1 && elsewhere.warm());
        const found = isAside && elsewhere.mayRun() ? await tryElsewhere(scope, search) : null;
        return found === null ? await here() : (found as readonly Result[]);
      } finally {
        running -= 1;
      }
    },
  };
};
