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
  outbox: number;
}
