// The outbox: which vectors the index still has to get or remove. Where small containers are left out of the index, the outbox
// has their vectors too, and the indexer passes over them.
import type { FillSpace } from '../spaces.ts';

export interface OutboxRow {
  seq: number;
  n: number;
  op: 'upsert' | 'remove';
}

/** Never handed to a caller: it sees every tag. */
export interface OutboxStore {
  outbox(space: number, limit: number): Promise<OutboxRow[]>;
  acknowledge(space: number, seqs: readonly number[]): Promise<void>;
  /** Adds every chunk of the space to the outbox again, in slices; null when finished. */
  enqueueAll(space: number, after: number, limit: number): Promise<number | null>;
  /** The number of vectors that the index must hold. */
  countVectors(space: number): Promise<number>;
  /** The number of outbox rows that the index has not taken yet. */
  countOutbox(space: number): Promise<number>;
}

/** The containers of which the index holds vectors, where it leaves small ones out. */
export interface IndexedContainerStore {
  /** The number of chunks and memories from which the index holds containers of the space; 0: it holds every one. */
  indexedFrom(space: number): Promise<number>;
  /** Notes that the index holds no container of the space any more, and is to hold those of at least this size. */
  indexAnew(space: number, from: number): Promise<void>;
  /** Containers that are large enough and not wholly in the index or the outbox; null: among all. */
  containersToIndex(space: number, among: readonly number[] | null): Promise<number[]>;
  /** Adds the next vectors of a container to the outbox: from now on the index holds them. True: there are more. */
  enqueueContainer(space: FillSpace, container: number, limit: number): Promise<boolean>;
  /** The numbers among these that the index is to hold. */
  indexable(space: number, ns: readonly number[]): Promise<number[]>;
}
