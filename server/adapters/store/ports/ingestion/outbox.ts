// The outbox: which vectors the index still has to get or remove.

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
  countVectors(space: number): Promise<number>;
  /** The number of outbox rows that the index has not taken yet. */
  countOutbox(space: number): Promise<number>;
}
