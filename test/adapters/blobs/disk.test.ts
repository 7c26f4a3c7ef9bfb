// Tests of the files of originals on disk.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDiskBlobs } from '../../../server/adapters/blobs/disk.ts';
import type { BlobStore } from '../../../server/adapters/blobs/port.ts';

let folder: string;
let blobs: BlobStore;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'memoir-blobs-')), 'files');
  blobs = createDiskBlobs(folder);
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

const files = (): string[] =>
  globSync('**/*', { cwd: folder }).filter((name) => statSync(join(folder, name)).isFile());

async function* pieces(...given: (string | Buffer | Error)[]): AsyncGenerator<Buffer> {
  for (const piece of given) {
    if (piece instanceof Error) throw piece;
    yield Buffer.from(piece);
  }
}

const nothingTaken = async () => new Set<string>();

describe('a received file', () => {
  test('is stored whole, with its length and the start from which its format is recognised', async () => {
    const content = randomBytes(300_000);
    const received = await blobs.receive(pieces(content.subarray(0, 70_000), '', content.subarray(70_000)));
    expect(received).toEqual({
      key: expect.stringMatching(/^\w{22}$/),
      bytes: 300_000,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
    const opened = await blobs.open(received.key);
    expect(opened?.bytes).toBe(300_000);
    expect(content.equals(await buffer(opened?.stream ?? pieces()))).toBe(true);
    expect(readFileSync(blobs.pathOf(received.key)).equals(content)).toBe(true);
  });

  test('may be empty', async () => {
    const { key, bytes } = await blobs.receive(pieces());
    expect([bytes, (await blobs.open(key))?.bytes]).toEqual([0, 0]);
  });

  test('is readable by its owner alone', async () => {
    const { key } = await blobs.receive(pieces('secret'));
    expect(statSync(blobs.pathOf(key)).mode & 0o077).toBe(0);
    expect(statSync(folder).mode & 0o077).toBe(0);
  });

  test('is removed when its transfer breaks off', async () => {
    await expect(blobs.receive(pieces('one', new Error('gone')))).rejects.toThrow('gone');
    expect(files()).toEqual([]);
  });

  test('is different from another with the same content', async () => {
    const [one, two] = [await blobs.receive(pieces('same')), await blobs.receive(pieces('same'))];
    expect(one.key).not.toBe(two.key);
    await blobs.erase(one.key);
    expect(await blobs.open(one.key)).toBeNull();
    expect((await blobs.open(two.key))?.bytes).toBe(4);
  });

  test('is erased without a trace, and can be erased again', async () => {
    const { key } = await blobs.receive(pieces('x'));
    await blobs.keep(key);
    await blobs.erase(key);
    await blobs.erase(key);
    expect(files()).toEqual([]);
  });
});

describe('after a crash', () => {
  test('unfinished files are erased, and the files of documents stay', async () => {
    const [loose, taken, kept] = await Promise.all(
      ['loose', 'taken', 'kept'].map((text) => blobs.receive(pieces(text))),
    );
    await blobs.keep(kept?.key ?? '');
    const asked: string[] = [];
    await createDiskBlobs(folder).settle(async (keys) => {
      asked.push(...keys);
      return new Set([taken?.key ?? '']);
    });
    expect(asked.sort()).toEqual([loose?.key, taken?.key].sort());
    expect(existsSync(blobs.pathOf(loose?.key ?? ''))).toBe(false);
    expect(existsSync(blobs.pathOf(taken?.key ?? ''))).toBe(true);
    expect(existsSync(blobs.pathOf(kept?.key ?? ''))).toBe(true);
    expect(files()).toHaveLength(2);
  });

  test('a folder without received files stays unchanged', async () => {
    await blobs.settle(nothingTaken);
    expect(existsSync(folder)).toBe(false);
  });
});

test.each(['', '..', '../../etc/passwd', 'a/b', '1'.repeat(23)])('%j is not a valid key', async (key) => {
  expect(() => blobs.pathOf(key)).toThrow('is no key of a file');
  await expect(blobs.open(key)).rejects.toThrow('is no key of a file');
  await expect(blobs.erase(key)).rejects.toThrow('is no key of a file');
});
