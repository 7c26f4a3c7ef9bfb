// Repeats a search during which the embedding space changed: the vectors that it compared may have been erased.

/** Runs once more when another space serves at the end than at the start; that happens once in a reindex. */
export const repeatAfterSpaceChange =
  (servingSpace: () => number | null) =>
  async <T>(run: () => Promise<T>): Promise<T> => {
    const before = servingSpace();
    try {
      const result = await run();
      return servingSpace() === before ? result : await run();
    } catch (error) {
      if (servingSpace() === before) throw error;
      return run();
    }
  };
