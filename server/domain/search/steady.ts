// Searches that outlive a change of the embedding space: what they compared with may have been erased under them.
import type { Search } from './search.ts';

/** Asked again when another space serves at the end than at the start; that happens once in a reindex. */
export const steady = (search: Search, space: () => number | null): Search => {
  const settled = async <T>(run: () => Promise<T>): Promise<T> => {
    const before = space();
    try {
      const found = await run();
      return space() === before ? found : await run();
    } catch (error) {
      if (space() === before) throw error;
      return run();
    }
  };
  return {
    documents: (caller, input, signal) => settled(() => search.documents(caller, input, signal)),
    memories: (caller, input, signal) => settled(() => search.memories(caller, input, signal)),
    findMemories: (caller, query, signal) => settled(() => search.findMemories(caller, query, signal)),
  };
};
