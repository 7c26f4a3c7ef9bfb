// A PNG without anything but its picture, once its data are known to fit its declared size.
import { Readable } from 'node:stream';
import { createInflate } from 'node:zlib';

interface Chunk {
  readonly type: string;
  /** With its length, its name and its checksum. */
  readonly bytes: Buffer;
  readonly data: Buffer;
}

const SIGNATURE = 8;
const LENGTH_AND_NAME = 8;
const CHECKSUM = 4;
/** Compressed texts, profiles and the frames of an animation are left out: they could unpack to any size. */
const KEPT = new Set(['IHDR', 'PLTE', 'tRNS', 'pHYs', 'IDAT', 'IEND']);
/** Some programs write a little too much. */
const SPARE = 65_536;
const INFLATED_AT_ONCE = 262_144;

/** Null: its data unpack to more than its declared size needs. */
export const plainPng = async (bytes: Buffer): Promise<Buffer | null> => {
  const chunks = [...readChunks(bytes)];
  const header = chunks.find(({ type }) => type === 'IHDR');
  const data = chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data);
  if (header !== undefined && (await unpacksBeyond(data, neededBytes(header.data) + SPARE))) return null;
  return Buffer.concat([bytes.subarray(0, SIGNATURE), ...chunks.map((chunk) => chunk.bytes)]);
};

function* readChunks(bytes: Buffer): Generator<Chunk> {
  for (let at = SIGNATURE; at + LENGTH_AND_NAME <= bytes.length; ) {
    const start = at + LENGTH_AND_NAME;
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, start);
    const end = start + length + CHECKSUM;
    if (KEPT.has(type))
      yield { type, bytes: bytes.subarray(at, end), data: bytes.subarray(start, start + length) };
    if (type === 'IEND') return;
    at = end;
  }
}

/** By the number of the colour type. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** First column, first row, and the steps to the next, of each pass of an interlaced picture. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** The size of the unpacked data; a damaged header needs none. */
const neededBytes = (header: Buffer): number => {
  if (header.length < 13) return 0;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const bits = header.readUInt8(8) * (CHANNELS[header.readUInt8(9)] ?? 4);
  const picture = (wide: number, high: number): number =>
    wide <= 0 || high <= 0 ? 0 : high * (1 + Math.ceil((wide * bits) / 8));
  if (header.readUInt8(12) === 0) return picture(width, height);
  return PASSES.reduce(
    (sum, [left, top, across, down]) =>
      sum + picture(Math.ceil((width - left) / across), Math.ceil((height - top) / down)),
    0,
  );
};

/** Unpacks no more than it has to know. */
const unpacksBeyond = async (data: readonly Buffer[], most: number): Promise<boolean> => {
  let unpacked = 0;
  try {
    for await (const piece of Readable.from(data).pipe(createInflate({ chunkSize: INFLATED_AT_ONCE }))) {
      unpacked += (piece as Buffer).length;
      if (unpacked > most) return true;
    }
  } catch {
    // Damaged data end here, and the decoder says so.
  }
  return false;
};
