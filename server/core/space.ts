// The name of an embedding space.

/** Identifies the vectors of one embedder: two vectors may be compared only within one space. */
export interface SpaceName {
  readonly embedder: string;
  readonly model: string;
  readonly dimensions: number;
}
