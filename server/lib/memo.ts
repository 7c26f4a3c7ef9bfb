// A bounded cache of values computed from texts.

/**
 * Two generations instead of an exact least-recently-used list, for speed: a reused entry moves to the young one.
 * `most`: the size of a generation. `sizeOf`: of one entry; by default each counts one.
 */
export const createMemo = <T>(
  most: number,
  sizeOf: (text: string) => number = () => 1,
): ((text: string, compute: () => T) => T) => {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  let size = 0;
  return (text, compute) => {
    const known = young.get(text);
    if (known !== undefined || young.has(text)) return known as T;
    const kept = old.get(text);
    const value = kept !== undefined || old.has(text) ? (kept as T) : compute();
    if (size >= most) {
      old = young;
      young = new Map();
      size = 0;
    }
    young.set(text, value);
    size += sizeOf(text);
    return value;
  };
};
