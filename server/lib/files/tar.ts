// Finds one file in a tar stream.
import type { ByteReader } from '../bytes.ts';

const BLOCK = 512;

const textAt = (header: Buffer, from: number, length: number): string =>
  header
    .subarray(from, from + length)
    .toString('utf8')
    .replace(/\0.*$/s, '');

/** Moves the reader to the first byte of the file `name`; a tar stream ends with an empty block. */
export const fileInTar = async (reader: ByteReader, name: string): Promise<{ size: number }> => {
  for (;;) {
    const header = await reader.read(BLOCK);
    const found = textAt(header, 0, 100);
    if (found === '') throw new Error(`the package holds no file ${name}`);
    const size = Number.parseInt(textAt(header, 124, 12), 8);
    if (!Number.isSafeInteger(size)) throw new Error('the package is damaged');
    if (found === name) return { size };
    await reader.discard(Math.ceil(size / BLOCK) * BLOCK);
  }
};
