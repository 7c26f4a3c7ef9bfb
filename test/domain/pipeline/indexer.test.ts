// The indexer between an outbox and an index that are both in memory.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OutboxRow } from '../../../server/adapters/store/ingest-port.ts';
import type { VectorIndexMaintenance } from '../../../server/adapters/vectors/port.ts';
import { createIndexer, type Indexer, type OutboxStore } from '../../../server/domain/pipeline/indexer.ts';

const SPACE = { id: 1, dimensions: 2, keepExact: false };
const VECTOR = Float32Array.of(1, 0);

const createStore = () => {
  let seq = 0;
  let outbox: OutboxRow[] = [];
  const vectors = new Set<number>();
  const say = (ns: readonly number[], op: OutboxRow['op']) =>
    outbox.push(...ns.map((n) => ({ seq: ++seq, n, op })));
  const store: OutboxStore = {
    outbox: async (_space, limit) => outbox.slice(0, limit),
    async acknowledge(_space, seqs) {
      const gone = new Set(seqs);
      outbox = outbox.filter((row) => !gone.has(row.seq));
    },
    async enqueueAll(_space, after, limit) {
      const ns = [...vectors].filter((n) => n > after).sort((a, b) => a - b);
      say(ns.slice(0, limit), 'upsert');
      return ns.length < limit ? null : (ns[limit - 1] ?? null);
    },
    countVectors: async () => vectors.size,
    countOutbox: async () => outbox.length,
    vectorsOf: async (_space, ns) =>
      new Map(ns.filter((n) => vectors.has(n)).map((n) => [n, VECTOR] as const)),
  };
  return {
    store,
    pending: () => outbox.length,
    add(from: number, count: number) {
      const ns = Array.from({ length: count }, (_, at) => from + at);
      for (const n of ns) vectors.add(n);
      say(ns, 'upsert');
    },
    remove(from: number, count: number) {
      const ns = Array.from({ length: count }, (_, at) => from + at);
      for (const n of ns) vectors.delete(n);
      say(ns, 'remove');
    },
  };
};

const createIndex = () => {
  const held = new Set<number>();
  const dropped: number[] = [];
  let failure: Error | null = null;
  let upserting: Promise<void> | null = null;
  const may = () => {
    if (failure) throw failure;
  };
  const index: VectorIndexMaintenance = {
    state: () => ({ status: 'ready' }),
    ready: async () => may(),
    async upsert(_space, _dimensions, rows) {
      may();
      await upserting;
      for (const { n } of rows) held.add(n);
    },
    async remove(_space, ns) {
      may();
      for (const n of ns) held.delete(n);
    },
    count: async () => (held.size === 0 ? null : held.size),
    async drop(space) {
      dropped.push(space);
      held.clear();
    },
    close: async () => undefined,
  };
  return {
    index,
    held,
    dropped,
    fail: (error: Error | null) => {
      failure = error;
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      upserting = promise;
      return resolve;
    },
  };
};

let sql: ReturnType<typeof createStore>;
let chroma: ReturnType<typeof createIndex>;
let whole: readonly number[];
let filled: (typeof SPACE)[];
let indexer: Indexer;

const start = (): void => {
  indexer = createIndexer({
    store: sql.store,
    index: chroma.index,
    spaces: () => filled,
    now: Date.now,
    whole: (spaces) => {
      whole = spaces;
    },
    log: { info: () => undefined, warn: () => undefined },
  });
  indexer.start();
};

const until = async (holds: () => boolean): Promise<void> => {
  const end = performance.now() + 5000;
  while (!holds()) {
    if (performance.now() > end) throw new Error('It did not come about within 5 s.');
    await sleep(5);
  }
};

beforeEach(() => {
  sql = createStore();
  chroma = createIndex();
  whole = [];
  filled = [SPACE];
});

afterEach(() => indexer.stop());

test('what waits reaches the index, and only then is it relied on', async () => {
  sql.add(1, 1000);
  start();
  expect(whole).toEqual([]);
  await until(() => chroma.held.size === 1000 && sql.pending() === 0);
  await until(() => whole.includes(SPACE.id));
  sql.remove(1, 10);
  indexer.wake();
  await until(() => chroma.held.size === 990);
  expect(chroma.dropped).toEqual([]);
});

test('an index that lost what it held is filled again though work never ends', async () => {
  sql.add(1, 500);
  start();
  await until(() => whole.length > 0 && sql.pending() === 0);
  chroma.held.clear();
  let next = 501;
  const adding = setInterval(() => {
    sql.add(next, 20);
    next += 20;
    indexer.wake();
  }, 2);
  indexer.restarted();
  expect(whole).toEqual([]);
  await until(() => chroma.dropped.length === 1 && chroma.held.has(1) && chroma.held.has(500));
  clearInterval(adding);
  await until(() => sql.pending() === 0 && whole.length > 0);
  expect(chroma.held.size).toBe(next - 1);
  expect(chroma.dropped).toEqual([SPACE.id]);
});

test('an index that fails is relied on no more, and takes everything when it is back', async () => {
  sql.add(1, 50);
  start();
  await until(() => whole.length > 0 && sql.pending() === 0);
  chroma.fail(new Error('gone away'));
  sql.add(51, 50);
  indexer.wake();
  await until(() => indexer.state().status === 'waiting');
  expect(indexer.state().detail).toContain('gone away');
  expect(whole).toEqual([]);
  chroma.fail(null);
  await until(() => chroma.held.size === 100 && whole.length > 0);
  expect(chroma.dropped).toEqual([]);
});

test('after most of it was deleted it is filled anew, for what is deleted is only marked there', async () => {
  sql.add(1, 6000);
  start();
  await until(() => chroma.held.size === 6000 && sql.pending() === 0);
  sql.remove(1, 4000);
  indexer.wake();
  await until(() => chroma.held.size === 2000 && sql.pending() === 0);
  expect(chroma.dropped).toEqual([]);
  sql.remove(4001, 1000);
  indexer.wake();
  await until(() => chroma.dropped.length === 1);
  await until(() => chroma.held.size === 1000 && sql.pending() === 0 && indexer.state().status === 'current');
  expect(whole).toEqual([SPACE.id]);
  sql.remove(5001, 900);
  indexer.wake();
  await until(() => chroma.held.size === 100 && sql.pending() === 0);
  expect(chroma.dropped).toEqual([SPACE.id]);
});

test('a former space is dropped between batches, never under one', async () => {
  sql.add(1, 100);
  const release = chroma.hold();
  start();
  await sleep(100);
  filled = [];
  const drop = indexer.drop(SPACE.id);
  await sleep(50);
  expect(chroma.dropped).toEqual([]);
  release();
  await drop;
  expect(chroma.dropped).toEqual([SPACE.id]);
});

test('a drop that nobody can do is given up when it stops', async () => {
  chroma.fail(new Error('gone away'));
  start();
  const drop = indexer.drop(SPACE.id).catch((error: Error) => error.message);
  await indexer.stop();
  expect(await drop).toContain('stopping');
  await expect(indexer.drop(SPACE.id)).rejects.toThrow('stopping');
});
