// Tests that a received file is on the disk before its reception ends: a power cut after the answer loses nothing.
import { mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDiskBlobs } from '../../../server/adapters/blobs/disk.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'memoir-durable-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(root, { recursive: true });
});

/** Notes the path and the length of everything that is synchronised from now on. */
const watchSync = async (): Promise<Map<string, number>> => {
  const synced = new Map<string, number>();
  const handle = await open(root, 'r');
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const real = prototype.sync;
  vi.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
    const { size } = await this.stat();
    await real.call(this);
    synced.set(readlinkSync(`/proc/self/fd/${this.fd}`), size);
  });
  return synced;
};

async function* pieces(...given: readonly string[]): AsyncGenerator<Buffer> {
  for (const piece of given) yield Buffer.from(piece);
}

// The paths behind descriptors are readable on Linux alone.
test.skipIf(process.platform !== 'linux')(
  'a received file, its folder and a new folder are synchronised, whole, before the reception ends',
  async () => {
    const folder = join(root, 'files');
    const blobs = createDiskBlobs(folder);
    const synced = await watchSync();
    const { key } = await blobs.receive(pieces('one ', 'two ', 'three'));
    const path = await blobs.lend(key, async (path) => path);
    expect(synced.get(path)).toBe('one two three'.length);
    expect([...synced.keys()]).toEqual([folder, path, dirname(path)]);
  },
);
