// The candidates of a search: passages of documents, and memories.
import type { RecalledMemory } from '../../../adapters/store/ports/memories/recall.ts';

/** The fields that ranking reads, of a passage or of a memory, which counts as a document of its own. */
export interface SearchCandidate {
  readonly n: number;
  readonly document: { readonly n: number };
  readonly position: number;
  readonly text: string;
  readonly flags: number;
  readonly speaker: string | null;
  readonly date: number | null;
  /** Inferred, and nobody has approved it. */
  readonly isGuess?: boolean;
}

export interface MemoryCandidate extends SearchCandidate {
  readonly memory: RecalledMemory;
}

export const memoryCandidate = (memory: RecalledMemory): MemoryCandidate => ({
  n: memory.n,
  document: { n: memory.n },
  position: 0,
  text: memory.memory,
  flags: 0,
  speaker: null,
  date: memory.documentDate,
  isGuess: memory.isInference,
  memory,
});
