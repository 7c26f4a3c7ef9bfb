// The organisation that the store belongs to, and how much the store holds.

export interface Organisation {
  id: string;
  createdAt: number;
}

export interface StoreCounts {
  documents: number;
  chunks: number;
  queued: number;
  failed: number;
  /** Documents that wait or failed by the fault of the embedder. */
  held: number;
  /** The sentence of one of them; null: there is none. */
  heldBecause: string | null;
  /** Vectors that the index has not taken yet, by space. */
  outbox: readonly { space: number; vectors: number }[];
}
