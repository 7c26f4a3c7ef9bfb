// The approximate nearest-neighbour index for wide scopes. Derived from SQL: it may be empty, late or gone.
import type { Scope } from '../../core/scope.ts';

export interface IndexedVector {
  /** The chunk's number: container × 2^28 + sequence. */
  readonly n: number;
  readonly container: number;
  readonly vector: Float32Array;
}

export interface Neighbour {
  readonly n: number;
  readonly distance: number;
}

export interface NearestRequest {
  readonly space: number;
  readonly vector: Float32Array;
  readonly k: number;
  /** The containers of the scope, which decide what parts of the index are asked; null: every one. */
  readonly containers: readonly number[] | null;
}

/** For requests. It proposes chunks of all owners; SQL decides afterwards which of them the scope may see. */
export interface VectorIndex {
  nearest(scope: Scope, request: NearestRequest, signal?: AbortSignal): Promise<Neighbour[]>;
}

export interface VectorIndexState {
  status: 'ready' | 'starting' | 'down';
  detail?: string;
}

/** For the indexer, which fills the index and never reads for a caller. */
export interface VectorIndexMaintenance {
  /** The number of vectors that it takes best in one `upsert`. */
  readonly batch: number;
  state(): VectorIndexState;
  /** Resolves when the index answers; rejects with a sentence when it cannot be started at all. */
  ready(signal?: AbortSignal): Promise<void>;
  upsert(space: number, dimensions: number, rows: readonly IndexedVector[]): Promise<void>;
  remove(space: number, ns: readonly number[]): Promise<void>;
  /** The number of vectors in the space; null when it does not exist yet. */
  count(space: number): Promise<number | null>;
  drop(space: number): Promise<void>;
  /** Drops what is divided into another number of shards, of all spaces; false: there was nothing. */
  dropOtherLayouts(): Promise<boolean>;
  close(): Promise<void>;
}
