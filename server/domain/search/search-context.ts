// Everything that one search call works with, bound once and handed to every stage.
import type { SearchModel } from '../../adapters/language-model/ports/search-model.ts';
import type { Reranker } from '../../adapters/rerank/port.ts';
import type { MemoryStore } from '../../adapters/store/ports/memories/memories.ts';
import type { RecallStore } from '../../adapters/store/ports/memories/recall.ts';
import type { SearchStore } from '../../adapters/store/ports/search.ts';
import type { VectorIndex } from '../../adapters/vectors/port.ts';
import type { Scope } from '../../core/scope.ts';
import type { SearchSpace } from './evidence/semantic-evidence.ts';
import type { SearchTrace } from './explain/trace.ts';
import type { SearchLimits } from './query/plan.ts';
import type { SkippedOptions } from './skipped-options.ts';

/** The parts of the server that every search shares. */
export interface SearchServices {
  readonly store: SearchStore;
  readonly memories: MemoryStore;
  readonly recall: RecallStore;
  /** Null, failing or empty: wide scopes are compared exactly. */
  readonly index: VectorIndex | null;
  /** True: the index holds the space, apart from the vectors that wait in the outbox. Default: always true. */
  readonly isIndexComplete?: (space: number) => boolean;
  /** The space that serves; null: search by words alone. */
  readonly space: () => SearchSpace | null;
  /** Null: no reranker is configured. */
  readonly reranker: () => Reranker | null;
  /** Null: no language model is configured. */
  readonly model: SearchModel | null;
  readonly now: () => number;
  /** Logs that a search went on without a part that failed. */
  readonly warn: (message: string, cause: unknown) => void;
  readonly limits: SearchLimits;
}

/** One call of one caller. */
export interface SearchContext extends SearchServices {
  readonly scope: Scope;
  readonly signal: AbortSignal;
  readonly skipped: SkippedOptions;
  /** Null: the caller asks for no explanation, and nothing is recorded. */
  readonly trace: SearchTrace | null;
}
