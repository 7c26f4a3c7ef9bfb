// Tests of the files of originals on disk.
import { existsSync, globSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDiskBlobs } from '../../../server/adapters/blobs/disk.ts';
import type { BlobStore } from '../../../server/adapters/blobs/port.ts';
import { newDataFolder } from '../../support/data-folder.ts';
import { blobContract, pieces } from './contract.ts';

const newFolder = (): string => join(newDataFolder('blobs'), 'files');

const filesIn = (folder: string): string[] =>
  globSync('**/*', { cwd: folder }).filter((name) => statSync(join(folder, name)).isFile());

blobContract('the data folder', async () => {
  const folder = newFolder();
  return {
    blobs: createDiskBlobs(folder),
    again: () => createDiskBlobs(folder),
    names: () => filesIn(folder),
    age: () => undefined,
    close: async () => rmSync(join(folder, '..'), { recursive: true }),
  };
});

describe('the data folder', () => {
  let folder: string;
  let blobs: BlobStore;
  beforeEach(() => {
    folder = newFolder();
    blobs = createDiskBlobs(folder);
  });
  afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

  test('lets the owner alone read a file', async () => {
    const { key } = await blobs.receive(pieces('secret'));
    await blobs.lend(key, async (path) => expect(statSync(path).mode & 0o077).toBe(0));
    expect(statSync(folder).mode & 0o077).toBe(0);
  });

  test('stays unchanged where nothing was received', async () => {
    await blobs.settle(async () => new Set());
    expect(existsSync(folder)).toBe(false);
  });
});
