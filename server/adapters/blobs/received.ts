// Writes what is received into a file while it is hashed.
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { isId } from '../../lib/ids.ts';

export const FOLDER = { recursive: true, mode: 0o700 } as const;
export const FILE_MODE = 0o600;

export const writeHashed = async (file: FileHandle, source: AsyncIterable<Uint8Array>) => {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of source) {
    hash.update(piece);
    bytes += piece.length;
    await file.writeFile(piece);
  }
  return { bytes, sha256: hash.digest('hex') };
};

/** A key becomes a part of a path. */
export const checkedKey = (key: string): string => {
  if (!isId(key)) throw new Error(`${JSON.stringify(key)} is no key of a file.`);
  return key;
};
