// Counts of requests and failures within a time, by name.

export interface RateCount {
  readonly count: number;
  /** Until the count begins anew. */
  readonly waitMs: number;
}

export interface RateCounts {
  /** Adds one; the time begins with the first. */
  add(name: string, windowMs: number): Promise<RateCount>;
  /** Null: nothing was counted lately. */
  look(name: string): Promise<RateCount | null>;
}
