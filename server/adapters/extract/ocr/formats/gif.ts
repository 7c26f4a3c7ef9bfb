// The first frame of a GIF. Each frame has a size of its own, which the size of the file does not bound.

export interface GifStart {
  /** Counted up to two. */
  readonly frames: number;
  /** The width of the first frame; 0 where there is none. */
  readonly width: number;
  readonly height: number;
  /** The file up to the end of its first frame. */
  readonly bytes: Buffer;
}

const HEADER = 13;
const IMAGE = 0x2c;
const EXTENSION = 0x21;
const END = Buffer.from([0x3b]);

export const readGifStart = (bytes: Buffer): GifStart => {
  let at = HEADER + colourTable(bytes[10] ?? 0);
  let start: Omit<GifStart, 'frames'> | null = null;
  while (at < bytes.length) {
    const block = bytes[at];
    if (block === IMAGE && start !== null) return { ...start, frames: 2 };
    if (block === IMAGE && at + 10 <= bytes.length) {
      const end = endOfBlocks(bytes, at + 11 + colourTable(bytes[at + 9] ?? 0));
      const [width, height] = [bytes.readUInt16LE(at + 5), bytes.readUInt16LE(at + 7)];
      start = { width, height, bytes: Buffer.concat([bytes.subarray(0, end), END]) };
      at = end;
    } else if (block === EXTENSION) at = endOfBlocks(bytes, at + 2);
    else break;
  }
  return start === null ? { frames: 0, width: 0, height: 0, bytes } : { ...start, frames: 1 };
};

const colourTable = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

/** Blocks of data, each with its length, up to an empty one. */
const endOfBlocks = (bytes: Buffer, from: number): number => {
  let at = from;
  for (let size = bytes[at]; size !== undefined && size > 0; size = bytes[at]) at += size + 1;
  return at + 1;
};
