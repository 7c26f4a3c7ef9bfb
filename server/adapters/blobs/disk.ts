// Blobs as files in the data folder. While one is loose a marker of its name lies in `incoming`, so that what a crash
// leaves behind is found without looking through everything.
import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isId, newId } from '../../lib/ids.ts';
import type { BlobStore } from './port.ts';

const FOLDER = { recursive: true, mode: 0o700 } as const;
const FILE_MODE = 0o600;

/** A new name is only safe on the disk when its folder is. Windows has no such thing. */
const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

const orNull = async <T>(work: Promise<T>): Promise<T | null> => {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
};

const write = async (file: FileHandle, source: AsyncIterable<Uint8Array>) => {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of source) {
    hash.update(piece);
    bytes += piece.length;
    await file.writeFile(piece);
  }
  await file.sync();
  return { bytes, sha256: hash.digest('hex') };
};

export function createDiskBlobs(folder: string): BlobStore {
  const incoming = join(folder, 'incoming');

  const nameOf = (key: string): string => {
    if (!isId(key)) throw new Error(`${JSON.stringify(key)} is no key of a file.`);
    return key;
  };
  const markerOf = (key: string): string => join(incoming, nameOf(key));
  /** The last characters are chance, the first ones time. */
  const pathOf = (key: string): string => join(folder, nameOf(key).slice(-2), key);

  const erase = async (key: string): Promise<void> => {
    await rm(pathOf(key), { force: true });
    await rm(markerOf(key), { force: true });
  };

  const begin = async (key: string): Promise<FileHandle> => {
    const shelf = dirname(pathOf(key));
    await mkdir(incoming, FOLDER);
    if ((await mkdir(shelf, FOLDER)) !== undefined) await syncFolder(folder);
    await writeFile(markerOf(key), '', { flag: 'wx', mode: FILE_MODE });
    return open(pathOf(key), 'wx', FILE_MODE);
  };

  return {
    pathOf,
    erase,

    async receive(source) {
      const key = newId();
      try {
        const file = await begin(key);
        try {
          const written = await write(file, source);
          await syncFolder(dirname(pathOf(key)));
          return { key, ...written };
        } finally {
          await file.close();
        }
      } catch (error) {
        await erase(key);
        throw error;
      }
    },

    keep: (key) => rm(markerOf(key), { force: true }),

    async open(key) {
      const file = await orNull(open(pathOf(key), 'r'));
      if (file === null) return null;
      const { size } = await file.stat();
      return { bytes: size, stream: file.createReadStream() };
    },

    async settle(taken) {
      const loose = ((await orNull(readdir(incoming))) ?? []).filter(isId);
      if (loose.length === 0) return;
      const kept = await taken(loose);
      for (const key of loose) await (kept.has(key) ? rm(markerOf(key), { force: true }) : erase(key));
    },
  };
}
