// The contract of a place for originals, as tests that the data folder and a bucket pass.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BlobStore } from '../../../server/adapters/blobs/port.ts';

export interface OpenedPlace {
  readonly blobs: BlobStore;
  /** Another process over the same place. */
  again(): BlobStore;
  /** The names of everything that is stored there. */
  names(): string[];
  /** Lets everything there become old. */
  age(): void;
  close(): Promise<void>;
}

export async function* pieces(...given: (string | Buffer | Error)[]): AsyncGenerator<Buffer> {
  for (const piece of given) {
    if (piece instanceof Error) throw piece;
    yield Buffer.from(piece);
  }
}

export const textIn = async (blobs: BlobStore, key: string): Promise<string | null> => {
  const opened = await blobs.open(key);
  return opened === null ? null : (await buffer(opened.stream)).toString();
};

const readAt = async (path: string): Promise<Buffer> => readFileSync(path);

export const blobContract = (name: string, openPlace: () => Promise<OpenedPlace>): void => {
  let place: OpenedPlace;
  let blobs: BlobStore;
  beforeEach(async () => {
    place = await openPlace();
    ({ blobs } = place);
  });
  afterEach(() => place.close());

  describe(`a file that ${name} received`, () => {
    test('is stored whole, with its length and its hash, and is lent to readers', async () => {
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
      expect(content.equals(await blobs.lend(received.key, readAt))).toBe(true);
    });

    test('may be empty', async () => {
      const { key, bytes } = await blobs.receive(pieces());
      expect([bytes, await textIn(blobs, key)]).toEqual([0, '']);
    });

    test('is removed when its transfer breaks off', async () => {
      await expect(blobs.receive(pieces('one', new Error('gone')))).rejects.toThrow('gone');
      expect(place.names()).toEqual([]);
    });

    test('is different from another with the same content', async () => {
      const [one, two] = [await blobs.receive(pieces('same')), await blobs.receive(pieces('same'))];
      expect(one.key).not.toBe(two.key);
      await blobs.erase(one.key);
      expect([await textIn(blobs, one.key), await textIn(blobs, two.key)]).toEqual([null, 'same']);
    });

    test('is erased without a trace, and can be erased again', async () => {
      const { key } = await blobs.receive(pieces('x'));
      await blobs.keep(key);
      await blobs.erase(key);
      await blobs.erase(key);
      expect(place.names()).toEqual([]);
    });

    test('is readable by another process', async () => {
      const { key } = await blobs.receive(pieces('shared'));
      expect(await textIn(place.again(), key)).toBe('shared');
    });
  });

  test(`after a crash, ${name} erases files without a document, and keeps those of documents`, async () => {
    const [loose, taken, kept] = await Promise.all(
      ['loose', 'taken', 'kept'].map(async (text) => (await blobs.receive(pieces(text))).key),
    );
    await blobs.keep(kept ?? '');
    place.age();
    const asked: string[] = [];
    await place.again().settle(async (keys) => {
      asked.push(...keys);
      return new Set([taken ?? '']);
    });
    expect(asked.sort()).toEqual([loose, taken].sort());
    const texts = await Promise.all([loose, taken, kept].map((key) => textIn(blobs, key ?? '')));
    expect(texts).toEqual([null, 'taken', 'kept']);
    expect(place.names()).toHaveLength(2);
  });

  test.each(['', '..', '../../etc/passwd', 'a/b', '1'.repeat(23)])(`${name} takes no key %j`, async (key) => {
    await expect(blobs.lend(key, async (path) => existsSync(path))).rejects.toThrow('is no key of a file');
    await expect(blobs.open(key)).rejects.toThrow('is no key of a file');
    await expect(blobs.erase(key)).rejects.toThrow('is no key of a file');
  });
};
