// The tables of the embedding spaces and of their vectors.
import type { Generated } from '#kysely';

export interface SpacesTable {
  id: Generated<number>;
  embedder: string;
  model: string;
  dimensions: number;
  state: 'active' | 'filling' | 'retired';
  calibration: string | null;
  /** The number of vectors in SQL for this space; the index must hold as many, unless it leaves some out. */
  vectors: Generated<number>;
  /** The number of chunks and memories from which the index holds a container; 0: it holds every one. */
  index_from: Generated<number>;
  /** The number of vectors that the index must hold where it leaves some out. */
  indexed: Generated<number>;
  created_at: number;
}

/** Up to 32 int8 vectors of neighbouring chunk numbers. */
export interface VectorBlocksTable {
  space: number;
  block: number;
  data: Uint8Array;
}

/** The float32 form, kept only where a vector was paid for. */
export interface ExactVectorsTable {
  space: number;
  n: number;
  data: Uint8Array;
}

export interface VectorOutboxTable {
  seq: Generated<number>;
  space: number;
  n: number;
  op: 'upsert' | 'remove';
}

/** The containers of which the index holds vectors, where it leaves small ones out. */
export interface IndexedContainersTable {
  space: number;
  container: number;
  /** The index holds the vectors whose number within the container is lower. */
  upto: number;
}
