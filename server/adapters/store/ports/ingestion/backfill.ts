// Filling a space: chunks that have no vector in it yet, and their text.
import type { FillSpace, SpaceRecord } from '../spaces.ts';

export interface StoredPassage {
  n: number;
  document: number;
  position: number;
  part: number;
  flags: number;
  text: string;
  title: string | null;
  speaker: string | null;
  date: number | null;
}

/** Never handed to a caller: it sees every tag. */
export interface BackfillStore {
  /** The chunks without a vector in this space among the next `limit`, and the last that was looked at; null: the end. */
  missing(
    space: FillSpace,
    after: number,
    limit: number,
  ): Promise<{ ns: readonly number[]; last: number | null }>;
  /** The chunks of these numbers, with their context for embedding. */
  storedPassages(ns: readonly number[]): Promise<StoredPassage[]>;
  /** Only for chunks that still exist and have no vector: one that the pipeline wrote meanwhile is newer. */
  fillVectors(space: FillSpace, vectors: readonly { n: number; vector: Float32Array }[]): Promise<void>;
  spaces(): Promise<SpaceRecord[]>;
  switchTo(space: number): Promise<{ retired: number | null } | null>;
  /** Erases its vectors in slices and then the space itself; after an interruption it can be called again. */
  forgetSpace(space: number, signal?: AbortSignal): Promise<void>;
}
