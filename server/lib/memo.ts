// A bounded cache of values computed from texts.

/** Two generations instead of an exact least-recently-used list, for speed: a reused entry moves to the young one. */
export const createMemo = <T>(most: number): ((text: string, compute: () => T) => T) => {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  return (text, compute) => {
    if (young.has(text)) return young.get(text) as T;
    const value = old.has(text) ? (old.get(text) as T) : compute();
    if (young.size >= most) {
      old = young;
      young = new Map();
    }
    young.set(text, value);
    return value;
  };
};
