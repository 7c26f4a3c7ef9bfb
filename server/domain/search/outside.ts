// Asking something outside that may be slow or gone, on behalf of a search that does not depend on it.
import type { Note, Notes } from './notes.ts';

export interface OutsideDeps {
  /** Told when a search went on without a part that failed. */
  trouble: (sentence: string, cause: unknown) => void;
}

export interface Favour {
  about: Note['about'];
  /** What happens when nothing comes of it, as the beginning of a note. */
  otherwise: string;
  ms: number;
  signal: AbortSignal;
  notes: Notes;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Null, a note for the caller and a word to the log when it fails or takes too long. */
export async function asked<T>(
  { trouble }: OutsideDeps,
  { about, otherwise, ms, signal, notes }: Favour,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const late = AbortSignal.timeout(ms);
  try {
    return await run(AbortSignal.any([signal, late]));
  } catch (error) {
    signal.throwIfAborted();
    const reason = late.aborted ? `No answer came within ${ms / 1000} s.` : reasonOf(error);
    notes.add(about, `${otherwise} ${reason}`);
    trouble(`${otherwise} ${reason}`, error);
    return null;
  }
}
