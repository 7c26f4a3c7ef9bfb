// Tests of the health report of each part.
import { expect, test } from 'vitest';
import type { StoreCounts } from '../../server/adapters/store/ports/organisation.ts';
import { createHealth, type HealthParts } from '../../server/app/health.ts';
import { DatabaseAwayError, DatabaseBusyError } from '../../server/core/errors.ts';

const NAME = { embedder: 'openai', model: 'meaning-1', dimensions: 256 };
const COUNTS: StoreCounts = {
  ...{ documents: 3, chunks: 9, queued: 2, failed: 0, held: 0, heldBecause: null },
  outbox: [],
};

const partsWith = (counts: Partial<StoreCounts>, more: Partial<HealthParts> = {}): HealthParts => ({
  counts: async () => ({ ...COUNTS, ...counts }),
  ingest: async () => ({
    chroma: { status: 'ready' },
    indexer: { status: 'current' },
    filled: [2],
    slowedKeys: [],
    originals: null,
    trouble: null,
  }),
  space: async () => ({
    active: { ...NAME, answering: true },
    wanted: NAME,
    ...{ reindexNeeded: false, reindexing: null, trouble: null },
  }),
  written: async () => ({ fault: null, storedAt: 0 }),
  mail: async () => ({ status: 'ok', detail: 'not set up' }),
  waitingConnections: async () => [],
  database: null,
  ...{ company: null, role: 'all' },
  place: '/data/memoir.db',
  watch: { note: () => undefined, fault: () => null },
  chroma: () => null,
  draining: () => false,
  ...more,
});

const queueOf = async (counts: Partial<StoreCounts>) => (await createHealth(partsWith(counts))()).parts.queue;

test('vectors of a space that nothing fills are not on their way to Chroma', async () => {
  const outbox = [
    { space: 1, vectors: 35 },
    { space: 2, vectors: 7 },
  ];
  expect((await queueOf({ outbox }))?.detail).toContain(
    '7 vectors waiting for Chroma, 35 of an embedder that the settings do not name',
  );
  expect((await queueOf({ outbox: outbox.slice(1) }))?.detail).toMatch(/ 7 vectors waiting for Chroma$/);
});

test('a database that is busy is not down: the store is degraded, and says that calls come again', async () => {
  const storeWith = async (error: Error) => {
    const counts = () => Promise.reject(error);
    return (await createHealth(partsWith({}, { counts, place: 'db.example.org' }))()).parts.store;
  };
  expect(await storeWith(new DatabaseBusyError(new Error('no free connection')))).toEqual({
    ...{ status: 'degraded', detail: 'db.example.org is busy with other calls; some get 503 and come again' },
  });
  expect((await storeWith(new DatabaseAwayError(new Error('gone'))))?.status).toBe('down');
});

test('documents that wait for the embedder degrade the queue, with the reason', async () => {
  expect(await queueOf({ held: 2, heldBecause: 'The embedding service refused the key (401).' })).toEqual({
    status: 'degraded',
    detail: expect.stringMatching(/; 2 documents wait for the embedder, which is at fault: The .* refused/),
  });
  expect((await queueOf({}))?.status).toBe('ok');
});

test('a Chroma that missed a heartbeat degrades the report', async () => {
  const chroma = () => ({ status: 'down', detail: 'Chroma does not answer' }) as const;
  expect((await createHealth(partsWith({}, { chroma }))()).parts.chroma).toEqual({
    status: 'degraded',
    detail: 'Chroma does not answer; until it does, searches compare exactly',
  });
});

test('the queue names the keys whose files are read behind those of others', async () => {
  const ingest = async () => ({ ...(await partsWith({}).ingest()), slowedKeys: ['k1', 'k2'] });
  const { parts } = await createHealth(partsWith({}, { ingest }))();
  expect((await queueOf({}))?.detail).not.toContain('slowed');
  expect(parts.queue).toEqual({
    status: 'ok',
    detail: expect.stringMatching(/; slowed, because they used much reading time: k1, k2$/),
  });
});

test('the queue says that the ingest thread ended by itself and starts again', async () => {
  const ingest = async () => ({ ...(await partsWith({}).ingest()), trouble: 'out of memory' });
  expect((await createHealth(partsWith({}, { ingest }))()).parts.queue).toEqual({
    status: 'degraded',
    detail: expect.stringMatching(
      /; the ingest thread ended by itself and starts again, and what is sent is stored and waits: out of memory$/,
    ),
  });
});

test('a database that cannot be read leaves the other parts in the report', async () => {
  const damaged = async () => {
    throw Object.assign(new Error('database disk image is malformed'), { errcode: 11 });
  };
  const watch = { note: () => undefined, fault: () => 'damaged' as const };
  const { parts } = await createHealth(partsWith({}, { counts: damaged, space: damaged, watch }))();
  expect(parts.store).toEqual({ status: 'down', detail: expect.stringContaining('memoir.db is damaged') });
  const unknown = { status: 'degraded', detail: 'not known, because the store cannot be read' };
  expect([parts.queue, parts.embedder]).toEqual([unknown, unknown]);
});

test('connections that wait for a person are named with what to do', async () => {
  const { parts } = await createHealth(
    partsWith(
      {},
      {
        waitingConnections: async () => [
          { id: 'c1', provider: 'notion', state: 'signed_out' },
          { id: 'c2', provider: 's3', state: 'held' },
        ],
      },
    ),
  )();
  expect(parts.connections?.status).toBe('degraded');
  expect(parts.connections?.detail).toMatch(/^notion c1 is signed out .*reauthorize; s3 c2 holds .* accept$/);
  expect((await createHealth(partsWith({}))()).parts.connections).toEqual({ status: 'ok' });
});

test('a bucket that does not answer is a part that is degraded, and files on this machine are none', async () => {
  const partOf = async (originals?: () => string | null) =>
    (await createHealth(partsWith({}, originals === undefined ? {} : { originals }))()).parts.originals;
  expect(await partOf()).toBeUndefined();
  expect(await partOf(() => null)).toEqual({ status: 'ok' });
  expect(await partOf(() => 'The file was not stored: it does not answer.')).toEqual({
    status: 'degraded',
    detail:
      'uploads get 503, and documents with files wait, until the bucket answers; the last failure: The file was not stored: it does not answer.',
  });
  const read = partsWith({}, { originals: () => null });
  const ingest = async () => ({ ...(await read.ingest()), originals: 'The original could not be fetched.' });
  expect((await createHealth({ ...read, ingest })()).parts.originals?.detail).toContain(
    'The original could not be fetched.',
  );
});
