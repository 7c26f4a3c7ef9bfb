// The shared context of the steps of the indexer: its dependencies, and the state of each space.
import type { CommitStore } from '../../../adapters/store/ports/ingestion/commits.ts';
import type { IndexedContainerStore, OutboxStore } from '../../../adapters/store/ports/ingestion/outbox.ts';
import type { FillSpace } from '../../../adapters/store/ports/spaces.ts';
import type { VectorIndexMaintenance } from '../../../adapters/vectors/port.ts';
import type { Logger } from '../../../core/log.ts';
import type { Duties } from '../../../lib/async/background/duties.ts';
import type { WorkWatch } from '../../../lib/async/work-watch.ts';
import type { SearchesFirst } from '../searches-first.ts';
import type { Verdicts } from './index-verdicts.ts';

export type IndexerStore = OutboxStore & IndexedContainerStore & Pick<CommitStore, 'vectorsOf'>;

export interface IndexerDeps {
  store: IndexerStore;
  duties: Duties;
  index: VectorIndexMaintenance;
  spaces: () => readonly FillSpace[];
  /** The number of chunks and memories from which the index holds a container; 0: it holds every one. */
  indexFrom: number;
  /** Called with the spaces that the index holds completely, apart from the outbox. */
  whole: (spaces: readonly number[]) => void;
  /** Called after indexes were dropped: until it restarts, the server keeps what they hold. */
  dropped: () => void;
  now: () => number;
  log: Pick<Logger, 'info' | 'warn'>;
  watch: WorkWatch;
  searchesFirst: SearchesFirst;
}

export interface IndexerState {
  /** `elsewhere`: another process keeps the index. */
  status: 'current' | 'draining' | 'rebuilding' | 'waiting' | 'elsewhere';
  detail?: string;
}

export interface IndexerContext {
  readonly deps: IndexerDeps;
  readonly verdicts: Verdicts;
  state: IndexerState;
  /** Spaces that are being filled again, with the reason. */
  readonly rebuilding: Map<number, string>;
  /** Spaces that differ from SQL although they were filled again. */
  readonly doubtful: Set<number>;
  /** The number of vectors removed from a space since it was last filled from empty, as far as this process knows. */
  readonly removed: Map<number, number>;
  /** Spaces that are to be dropped. */
  readonly dropping: Map<number, PromiseWithResolvers<void>>;
  /** True: this process, which keeps the index, has dropped what was stored with another number of shards. */
  hasDroppedOtherLayouts: boolean;
  /**
   * The containers of a space that are large enough and not yet wholly in the index, which holds no others; null: it has no such
   * bound. Missing: this process has not looked yet.
   */
  readonly growing: Map<number, Set<number> | null>;
}

export const DOUBT =
  'The vector index was filled again and still differs from SQL; searches compare exactly. It is filled once more in an hour';

export const showState = (context: IndexerContext, busy: boolean): void => {
  const { rebuilding, doubtful } = context;
  const [detail] = rebuilding.values();
  if (detail !== undefined) context.state = { status: 'rebuilding', detail };
  else if (doubtful.size > 0) context.state = { status: 'waiting', detail: DOUBT };
  else context.state = { status: busy ? 'draining' : 'current' };
};
