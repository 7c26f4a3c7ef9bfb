// Tests of originals in a bucket: over our own service, which checks signatures, and over an independent emulator.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDiskBlobs } from '../../../server/adapters/blobs/disk.ts';
import { openBlobs } from '../../../server/adapters/blobs/open.ts';
import type { BlobBucket, BlobPlace } from '../../../server/adapters/blobs/place.ts';
import type { BlobStore } from '../../../server/adapters/blobs/port.ts';
import { type BucketServer, startBucketServer } from '../../support/buckets/bucket-server.ts';
import { startSilentNetwork } from '../../support/silent-network.ts';
import { until } from '../../support/until.ts';
import { blobContract, pieces, textIn } from './contract.ts';

const LONG_MS = 2 * 3_600_000;

const bucketOf = ({ endpoint, bucket, keyId, secret }: BucketServer): BlobBucket => ({
  ...{ endpoint, bucket, keyId, secret },
  region: 'eu-central-1',
  prefix: 'memoir/',
});

const folders = (): { folder: string; scratch: string; root: string } => {
  const root = mkdtempSync(join(tmpdir(), 'memoir-bucket-'));
  return { root, folder: join(root, 'files'), scratch: join(root, 'lent') };
};

blobContract('a bucket', async () => {
  const server = await startBucketServer();
  const { root, ...places } = folders();
  const open = (): BlobStore => openBlobs({ ...places, bucket: bucketOf(server) });
  return {
    blobs: open(),
    again: open,
    names: () => [...server.objects.keys()],
    age: () => server.age(LONG_MS),
    async close() {
      await server.close();
      rmSync(root, { recursive: true });
    },
  };
});

describe('a bucket', () => {
  let server: BucketServer;
  let place: BlobPlace;
  let blobs: BlobStore;
  let root: string;
  beforeEach(async () => {
    server = await startBucketServer();
    const { root: made, ...places } = folders();
    root = made;
    place = { ...places, bucket: bucketOf(server) };
    blobs = openBlobs(place);
  });
  afterEach(async () => {
    await server.close();
    rmSync(root, { recursive: true });
  });

  const opened = (changed: Partial<BlobBucket>): BlobStore =>
    openBlobs({ ...place, bucket: { ...bucketOf(server), ...changed } });

  test('keeps no copy on this machine', async () => {
    const { key } = await blobs.receive(pieces('one'));
    await blobs.lend(key, async (path) => expect(existsSync(path)).toBe(true));
    expect(readdirSync(place.scratch)).toEqual([]);
    expect(existsSync(place.folder)).toBe(false);
  });

  test('is asked again after a fault that may pass', async () => {
    server.fail('PUT', 503, 'reset', 500);
    const { key } = await blobs.receive(pieces('stored after all'));
    server.fail('GET', 503);
    expect(await textIn(blobs, key)).toBe('stored after all');
  });

  test('that does not answer refuses an upload with a sentence and the time of a retry', async () => {
    server.fail('PUT', 503, 503, 503, 503);
    await expect(blobs.receive(pieces('one'))).rejects.toMatchObject({
      status: 503,
      message: expect.stringMatching(
        /^The file was not stored: .* does not answer \(503 SlowDown\)\. .*MEMOIR_BLOBS_ENDPOINT/,
      ),
      headers: { 'retry-after': '30', 'x-should-retry': 'true' },
    });
  });

  test('that does not answer is known as such until it answers again, also when nobody uploads', async () => {
    expect(blobs.trouble?.()).toBeNull();
    server.fail('PUT', 503, 503, 503, 503);
    server.fail('GET', 503, 503, 503, 503);
    await expect(blobs.receive(pieces('one'))).rejects.toThrow('does not answer (503 SlowDown)');
    expect(blobs.trouble?.()).toContain('The file was not stored');
    await until('the end of the fault', () => blobs.trouble?.() === null);
    server.fail('PUT', 503, 503, 503, 503);
    await expect(blobs.receive(pieces('two'))).rejects.toThrow('does not answer');
    const { key } = await blobs.receive(pieces('three'));
    expect(blobs.trouble?.()).toBeNull();
    server.fail('GET', 503, 503, 503, 503);
    await expect(blobs.lend(key, async () => undefined)).rejects.toThrow('does not answer');
    expect(blobs.trouble?.()).toContain('The original could not be fetched');
    expect(openBlobs({ ...place, bucket: null }).trouble).toBeUndefined();
  });

  test('behind a silent network refuses an upload while it lasts, and stores it once packets arrive again', async () => {
    const network = await startSilentNetwork(server.endpoint);
    const cut = opened({ endpoint: network.url.replace(/\/$/, '') });
    const { key } = await cut.receive(pieces('before'));
    network.silence();
    const calls = await Promise.allSettled([cut.receive(pieces('one')), cut.open(key)]);
    for (const call of calls)
      expect(call).toMatchObject({
        status: 'rejected',
        reason: {
          ...{ status: 503, headers: { 'retry-after': '30', 'x-should-retry': 'true' } },
          message: expect.stringContaining('does not answer (it did not answer in time)'),
        },
      });
    network.heal();
    expect(await textIn(cut, (await cut.receive(pieces('one'))).key)).toBe('one');
    await network.close();
  });

  test('whose answer ends in the middle lends no half of a file', async () => {
    const { key } = await blobs.receive(pieces('a'.repeat(100_000)));
    server.fail('GET', 'truncate');
    let used = false;
    const lent = blobs.lend(key, async () => {
      used = true;
    });
    await expect(lent).rejects.toMatchObject({
      code: 'original_unavailable',
      retryable: true,
      byProvider: true,
    });
    expect(used).toBe(false);
  });

  test('without the original of a document says that the file has to be sent again', async () => {
    const { key } = await blobs.receive(pieces('one'));
    server.objects.clear();
    await expect(blobs.lend(key, async () => null)).rejects.toMatchObject({
      code: 'original_missing',
      retryable: false,
    });
  });

  test.each([
    [
      { secret: 'another' },
      /answered 403 SignatureDoesNotMatch\. Check MEMOIR_BLOBS_KEY_ID and MEMOIR_BLOBS_SECRET/,
    ],
    [{ keyId: 'UNKNOWN' }, /answered 403 InvalidAccessKeyId\. Check MEMOIR_BLOBS_KEY_ID/],
    [{ bucket: 'missing' }, /answered 404 NoSuchBucket\. Create the bucket, or correct MEMOIR_BLOBS_URL/],
    [{ endpoint: 'http://127.0.0.1:9' }, /does not answer \(.*\)\. Check MEMOIR_BLOBS_ENDPOINT/],
  ])('with wrong settings (%j) refuses the start with a sentence', async (changed, sentence) => {
    await expect(opened(changed).settle(async () => new Set())).rejects.toMatchObject({
      status: 503,
      message: expect.stringMatching(sentence),
    });
  });

  test('never erases what another process receives at the moment', async () => {
    const { key } = await blobs.receive(pieces('just now'));
    await openBlobs(place).settle(async () => new Set());
    expect(await textIn(blobs, key)).toBe('just now');
  });

  test('finds everything that a crash left, over many pages of the list', async () => {
    const keys = await Promise.all(
      Array.from({ length: 8 }, async () => (await blobs.receive(pieces('x'))).key),
    );
    server.age(LONG_MS);
    const asked: string[] = [];
    await openBlobs(place).settle(async (loose) => {
      asked.push(...loose);
      return new Set();
    });
    expect([asked.sort(), server.objects.size]).toEqual([keys.sort(), 0]);
  });

  test('leaves originals of the time before it in their folder, and serves, lends and erases them', async () => {
    const { key } = await createDiskBlobs(place.folder).receive(pieces('of before'));
    expect(await textIn(blobs, key)).toBe('of before');
    expect(await blobs.lend(key, async (path) => path.startsWith(place.folder))).toBe(true);
    await blobs.erase(key);
    expect(await textIn(blobs, key)).toBeNull();
  });
});

describe('an independent emulator', () => {
  let emulator: FauxqsServer;
  let root: string;
  let blobs: BlobStore;
  beforeAll(async () => {
    emulator = await startFauxqs({ port: 0, logger: false });
    emulator.createBucket('originals');
    const { root: made, ...places } = folders();
    root = made;
    const endpoint = `http://127.0.0.1:${emulator.port}`;
    const key = { keyId: 'id', secret: 'secret' };
    blobs = openBlobs({
      ...places,
      bucket: { ...key, endpoint, bucket: 'originals', region: 'us-east-1', prefix: '' },
    });
  });
  afterAll(async () => {
    await emulator.stop();
    rmSync(root, { recursive: true });
  });

  test('stores, lends, lists and erases', async () => {
    const { key } = await blobs.receive(pieces('one', 'two'));
    expect(await textIn(blobs, key)).toBe('onetwo');
    await blobs.keep(key);
    await blobs.settle(async () => new Set());
    expect(await textIn(blobs, key)).toBe('onetwo');
    await blobs.erase(key);
    expect(await textIn(blobs, key)).toBeNull();
  });
});
