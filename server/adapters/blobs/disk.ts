// Blobs as files in the data folder. While a blob belongs to no document a marker of its name lies in `incoming`, so that
// files that a crash leaves behind are found without a look at all of them.
import { type FileHandle, mkdir, open, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../../lib/failures.ts';
import { isId, newId } from '../../lib/ids.ts';
import type { BlobStore, ReceivedBlob } from './port.ts';
import { checkedKey, FILE_MODE, FOLDER, writeHashed } from './received.ts';

/** A new name is durable only after its folder is synchronised. Windows cannot do that. */
const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Null if there is no such file. */
const unlessMissing = async <T>(work: Promise<T>): Promise<T | null> => {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
};

/** The paths of a blob and of its marker. */
interface DiskPaths {
  readonly folder: string;
  /** Holds the markers. */
  readonly incoming: string;
  blob(key: string): string;
  marker(key: string): string;
}

const diskPaths = (folder: string): DiskPaths => {
  const incoming = join(folder, 'incoming');
  return {
    folder,
    incoming,
    // The first characters of a key are its time, the last ones are random: they spread the files evenly.
    blob: (key) => join(folder, checkedKey(key).slice(-2), key),
    marker: (key) => join(incoming, checkedKey(key)),
  };
};

const removeMarker = (paths: DiskPaths, key: string): Promise<void> => rm(paths.marker(key), { force: true });

const eraseBlob = async (paths: DiskPaths, key: string): Promise<void> => {
  await rm(paths.blob(key), { force: true });
  await removeMarker(paths, key);
};

const createBlobFile = async (paths: DiskPaths, key: string): Promise<FileHandle> => {
  const parent = dirname(paths.blob(key));
  await mkdir(paths.incoming, FOLDER);
  if ((await mkdir(parent, FOLDER)) !== undefined) await syncFolder(paths.folder);
  await writeFile(paths.marker(key), '', { flag: 'wx', mode: FILE_MODE });
  return open(paths.blob(key), 'wx', FILE_MODE);
};

const receiveBlob = async (paths: DiskPaths, source: AsyncIterable<Uint8Array>): Promise<ReceivedBlob> => {
  const key = newId();
  try {
    const file = await createBlobFile(paths, key);
    try {
      const written = await writeHashed(file, source);
      await file.sync();
      await syncFolder(dirname(paths.blob(key)));
      return { key, ...written };
    } finally {
      await file.close();
    }
  } catch (error) {
    await eraseBlob(paths, key);
    throw error;
  }
};

export const createDiskBlobs = (folder: string): BlobStore => {
  const paths = diskPaths(folder);
  return {
    lend: async (key, use) => use(paths.blob(key)),
    erase: (key) => eraseBlob(paths, key),
    receive: (source) => receiveBlob(paths, source),
    keep: (key) => removeMarker(paths, key),
    async open(key) {
      const file = await unlessMissing(open(paths.blob(key), 'r'));
      if (file === null) return null;
      const { size } = await file.stat();
      return { bytes: size, stream: file.createReadStream() };
    },
    async settle(taken) {
      const loose = ((await unlessMissing(readdir(paths.incoming))) ?? []).filter(isId);
      if (loose.length === 0) return;
      const kept = await taken(loose);
      for (const key of loose) await (kept.has(key) ? removeMarker(paths, key) : eraseBlob(paths, key));
    },
  };
};
