// The port for turning text into vectors. Each embedder has a file in this folder.
import type { SpaceName } from '../../core/space.ts';

/** A passage with its context, because a turn is often understood only through its neighbours. */
export interface Passage {
  readonly text: string;
  /** The text's terms, if known: they save an embedder that counts words the analysis. */
  readonly terms?: readonly string[];
  readonly title?: string;
  readonly speaker?: string;
  /** The date of the session or document, written out ("Thursday 7 May 2023"). */
  readonly date?: string;
  /** Neighbouring texts, nearest first. */
  readonly previous: readonly string[];
  readonly next: readonly string[];
}

export interface EmbedLimits {
  readonly passagesPerCall: number;
  readonly charactersPerPassage: number;
  readonly parallelCalls: number;
}

export interface Embedder {
  readonly space: SpaceName;
  readonly limits: EmbedLimits;
  /** True: it knows English alone, and texts in other languages all look alike to it. */
  readonly onlyEnglish?: boolean;
  /** The neighbours that an embedder reads. A paid one reads earlier turns only, so that an appended turn re-embeds nothing. */
  readonly context: 'both' | 'previous';
  /** True for expensive vectors: their float32 form is kept, so that an index can be rebuilt without a call. */
  readonly keepExact: boolean;
  /** Unit-length vectors, one for each passage, in order. `embedded` is called with each number of finished passages. */
  embed(
    passages: readonly Passage[],
    signal?: AbortSignal,
    embedded?: (count: number) => void,
  ): Promise<Float32Array[]>;
  /** `weigh` gives a term's rarity in the searched containers; only embedders that count words use it. */
  embedQuery(query: string, weigh?: (term: string) => number, signal?: AbortSignal): Promise<Float32Array>;
}
