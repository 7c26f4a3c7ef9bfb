// Blobs as objects of a bucket. While a blob belongs to no document, an empty marker of its name lies under "incoming/", so
// that objects that a crash leaves behind are found without a look at all of them.
import { createWriteStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type BucketClient, createBucketClient } from '../../../lib/buckets/bucket-client.ts';
import { isId, newId } from '../../../lib/ids.ts';
import type { BlobBucket } from '../place.ts';
import type { BlobStore, ReceivedBlob } from '../port.ts';
import { checkedKey, FILE_MODE, FOLDER, writeHashed } from '../received.ts';
import { createBucketState } from './bucket-state.ts';
import { explainedBucket, missingOriginal, unreadableOriginal } from './explain.ts';

export interface BucketBlobsDeps {
  readonly bucket: BlobBucket;
  /** The folder for copies while they are sent or read. */
  readonly scratch: string;
  /** Blobs of the time before the bucket: they are still read and erased. */
  readonly earlier: BlobStore;
}

/** A marker younger than this may belong to an upload that another process receives now. */
const LOOSE_AFTER_MS = 3_600_000;

interface Names {
  readonly markers: string;
  blob(key: string): string;
  marker(key: string): string;
}

const blobNames = (prefix: string): Names => ({
  markers: `${prefix}incoming/`,
  // The last characters of a key are random: they spread the names evenly.
  blob: (key) => `${prefix}files/${checkedKey(key).slice(-2)}/${key}`,
  marker: (key) => `${prefix}incoming/${checkedKey(key)}`,
});

interface Bucket {
  readonly client: BucketClient;
  readonly names: Names;
  readonly scratch: string;
}

/** The path of a copy that nobody else uses, for as long as `use` runs. */
const withCopy = async <T>({ scratch }: Bucket, use: (path: string) => Promise<T>): Promise<T> => {
  await mkdir(scratch, FOLDER);
  const path = join(scratch, newId());
  try {
    return await use(path);
  } finally {
    await rm(path, { force: true });
  }
};

const eraseObjects = async ({ client, names }: Bucket, key: string): Promise<void> => {
  await client.remove(names.blob(key));
  await client.remove(names.marker(key));
};

const writeCopy = async (path: string, source: AsyncIterable<Uint8Array>) => {
  const file = await open(path, 'wx', FILE_MODE);
  try {
    return await writeHashed(file, source);
  } finally {
    await file.close();
  }
};

/** The copy tells the length and the hash, which a request needs before its body, and allows a second try. */
const receiveObject = (bucket: Bucket, source: AsyncIterable<Uint8Array>): Promise<ReceivedBlob> =>
  withCopy(bucket, async (path) => {
    const { client, names } = bucket;
    const written = await writeCopy(path, source);
    const key = newId();
    const storing = { address: client.address, doing: 'The file was not stored' };
    await explainedBucket(storing, async () => {
      await client.putEmpty(names.marker(key));
      await client.put(names.blob(key), { path, ...written });
    });
    return { key, ...written };
  });

const lendObject = <T>(bucket: Bucket, key: string, use: (path: string) => Promise<T>): Promise<T> =>
  withCopy(bucket, async (path) => {
    try {
      const found = await bucket.client.get(bucket.names.blob(key));
      if (found === null) throw missingOriginal();
      await pipeline(found.stream, createWriteStream(path, { flags: 'wx', mode: FILE_MODE }));
    } catch (error) {
      throw unreadableOriginal(error, bucket.client.address);
    }
    return use(path);
  });

const looseKeys = async ({ client, names }: Bucket): Promise<string[]> => {
  const markers = await client.list(names.markers);
  return markers
    .filter(({ age }) => age >= LOOSE_AFTER_MS)
    .map(({ name }) => name.slice(names.markers.length))
    .filter(isId);
};

const settleBucket = async (bucket: Bucket, taken: Parameters<BlobStore['settle']>[0]): Promise<void> => {
  // A crash leaves copies behind, and no process of this folder runs yet.
  await rm(bucket.scratch, { recursive: true, force: true });
  const loose = await looseKeys(bucket);
  if (loose.length === 0) return;
  const kept = await taken(loose);
  for (const key of loose)
    await (kept.has(key) ? bucket.client.remove(bucket.names.marker(key)) : eraseObjects(bucket, key));
};

export const createBucketBlobs = ({ bucket: place, scratch, earlier }: BucketBlobsDeps): BlobStore => {
  const client = createBucketClient(place);
  const bucket: Bucket = { client, names: blobNames(place.prefix), scratch };
  const { address } = client;
  const state = createBucketState(() => client.list(bucket.names.markers));
  const isEarlier = async (key: string): Promise<boolean> => {
    const found = await earlier.open(key);
    found?.stream.destroy();
    return found !== null;
  };
  return {
    trouble: state.trouble,
    receive: (source) => state.watched(() => receiveObject(bucket, source)),
    keep: (key) => client.remove(bucket.names.marker(key)),
    async erase(key) {
      await earlier.erase(key);
      await eraseObjects(bucket, key);
    },
    open: (key) =>
      state.watched(() =>
        explainedBucket({ address, doing: 'The original cannot be read' }, async () => {
          const name = bucket.names.blob(key);
          return (await earlier.open(key)) ?? (await client.get(name));
        }),
      ),
    async lend(key, use) {
      return (await isEarlier(key))
        ? earlier.lend(key, use)
        : state.watched(() => lendObject(bucket, key, use));
    },
    async settle(taken) {
      await earlier.settle(taken);
      await explainedBucket({ address, doing: 'The bucket of MEMOIR_BLOBS_URL cannot be used' }, () =>
        settleBucket(bucket, taken),
      );
    },
  };
};
