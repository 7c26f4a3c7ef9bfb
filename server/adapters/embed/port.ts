// Turning text into vectors. One file per embedder beside this one.

/** A passage with what surrounds it: whatever the embedder, a turn is understood through its neighbours. */
export interface Passage {
  readonly text: string;
  /** The text's terms, where they are at hand: an embedder that counts words need not analyse it again. */
  readonly terms?: readonly string[];
  readonly title?: string;
  readonly speaker?: string;
  /** The session's or document's date, written out ("Thursday 7 May 2023"). */
  readonly date?: string;
  /** Neighbouring texts, nearest first. */
  readonly previous: readonly string[];
  readonly next: readonly string[];
}

/** Names the vectors of one embedder: two vectors may be compared only within one space. */
export interface SpaceName {
  readonly embedder: string;
  readonly model: string;
  readonly dimensions: number;
}

export interface EmbedLimits {
  readonly passagesPerCall: number;
  readonly charactersPerPassage: number;
  readonly parallelCalls: number;
}

export interface Embedder {
  readonly space: SpaceName;
  readonly limits: EmbedLimits;
  /** Which neighbours belong into a passage: a paid embedder sees only what came before, so appending a turn re-embeds nothing. */
  readonly context: 'both' | 'previous';
  /** True where a vector costs money or minutes: its float32 form is then kept so that an index is rebuilt without asking again. */
  readonly keepExact: boolean;
  /** Unit-length vectors, one for each passage, in order; `embedded` hears of each number of them that came meanwhile. */
  embed(
    passages: readonly Passage[],
    signal?: AbortSignal,
    embedded?: (count: number) => void,
  ): Promise<Float32Array[]>;
  /** `weigh` gives a term's rarity in the caller's own container; embedders that know better ignore it. */
  embedQuery(query: string, weigh?: (term: string) => number, signal?: AbortSignal): Promise<Float32Array>;
}
