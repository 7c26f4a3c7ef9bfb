// What a search finds: passages of documents, and memories.
import type { RecalledMemory } from '../../adapters/store/recall-port.ts';

/** What ranking looks at: a passage of a document, or a memory, which is a document of its own. */
export interface Rankable {
  readonly n: number;
  readonly document: { readonly n: number };
  readonly position: number;
  readonly text: string;
  readonly flags: number;
  readonly speaker: string | null;
  readonly date: number | null;
  /** Concluded and not said, and nobody has approved it. */
  readonly isGuess?: boolean;
}

/** A memory as something to be found. */
export interface MemoryUnit extends Rankable {
  readonly memory: RecalledMemory;
}

export const memoryUnit = (memory: RecalledMemory): MemoryUnit => ({
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
