// Reads exact numbers of bytes from a stream, for formats that announce their lengths.

export interface ByteReader {
  /** Fails if the stream ends earlier. */
  read(length: number): Promise<Buffer>;
  discard(length: number): Promise<void>;
}

export const createByteReader = (source: AsyncIterable<Buffer>): ByteReader => {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  /** At least one byte and at most `most`. */
  const take = async (most: number): Promise<Buffer> => {
    while (rest.length === 0) {
      const { done, value } = await chunks.next();
      if (done) throw new Error('the data ended too early');
      rest = value;
    }
    const taken = rest.subarray(0, most);
    rest = rest.subarray(taken.length);
    return taken;
  };

  return {
    async read(length) {
      const parts: Buffer[] = [];
      let missing = length;
      while (missing > 0) {
        const part = await take(missing);
        parts.push(part);
        missing -= part.length;
      }
      return Buffer.concat(parts, length);
    },
    async discard(length) {
      let missing = length;
      while (missing > 0) missing -= (await take(missing)).length;
    },
  };
};
