// Tests of the indexer between an outbox and an index, both in memory.

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OutboxRow } from '../../../../server/adapters/store/ports/ingestion/outbox.ts';
import type { VectorIndexMaintenance } from '../../../../server/adapters/vectors/port.ts';
import type { IndexerStore } from '../../../../server/domain/ingestion/indexing/context.ts';
import { createIndexer, type Indexer } from '../../../../server/domain/ingestion/indexing/indexer.ts';
import {
  createSearchesFirst,
  type SearchesFirst,
} from '../../../../server/domain/ingestion/searches-first.ts';
import { allDuties } from '../../../../server/lib/async/background/duties.ts';
import { unwatched } from '../../../../server/lib/async/work-watch.ts';
import { turns, until as untilHolds } from '../../../support/until.ts';

const SPAN = 2 ** 28;
const SPACE = { id: 1, dimensions: 2, keepExact: false };
const VECTOR = Float32Array.of(1, 0);

const createStore = () => {
  let seq = 0;
  let outbox: OutboxRow[] = [];
  const vectors = new Set<number>();
  let indexedFrom = 0;
  const marks = new Map<number, number>();
  const isIndexable = (n: number) => indexedFrom === 0 || n % SPAN < (marks.get(Math.floor(n / SPAN)) ?? 0);
  const inContainer = (container: number, from = 0) =>
    [...vectors].filter((n) => Math.floor(n / SPAN) === container && n % SPAN >= from).sort((a, b) => a - b);
  const say = (ns: readonly number[], op: OutboxRow['op']) =>
    outbox.push(...ns.map((n) => ({ seq: ++seq, n, op })));
  const store: IndexerStore = {
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
    countVectors: async () => [...vectors].filter(isIndexable).length,
    countOutbox: async () => outbox.length,
    vectorsOf: async (_space, ns) =>
      new Map(ns.filter((n) => vectors.has(n)).map((n) => [n, VECTOR] as const)),
    indexedFrom: async () => indexedFrom,
    async indexAnew(_space, from) {
      indexedFrom = from;
      marks.clear();
    },
    async containersToIndex(_space, among) {
      const containers = new Set(among ?? [...vectors].map((n) => Math.floor(n / SPAN)));
      return [...containers].filter(
        (container) => marks.get(container) !== SPAN && inContainer(container).length >= indexedFrom,
      );
    },
    async enqueueContainer(_space, container, limit) {
      const ns = inContainer(container, marks.get(container)).slice(0, limit);
      say(ns, 'upsert');
      marks.set(container, ns.length < limit ? SPAN : ((ns.at(-1) ?? 0) % SPAN) + 1);
      return ns.length === limit;
    },
    indexable: async (_space, ns) => ns.filter(isIndexable),
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
  const sizes: number[] = [];
  let otherLayouts = false;
  const may = () => {
    if (failure) throw failure;
  };
  const index: VectorIndexMaintenance = {
    batch: 600,
    state: () => ({ status: 'ready' }),
    ready: async () => may(),
    async upsert(_space, _dimensions, rows) {
      may();
      sizes.push(rows.length);
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
    async dropOtherLayouts() {
      may();
      const were = otherLayouts;
      otherLayouts = false;
      return were;
    },
    close: async () => undefined,
  };
  return {
    index,
    held,
    dropped,
    asked: () => sizes.length,
    sizes,
    fail: (error: Error | null) => {
      failure = error;
    },
    divideOtherwise() {
      held.clear();
      otherLayouts = true;
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
let searchesFirst: SearchesFirst;
let freed: number;
let indexer: Indexer;

const start = (indexFrom = 0, duties = allDuties): void => {
  indexer = createIndexer({
    indexFrom,
    watch: unwatched,
    searchesFirst,
    store: sql.store,
    duties,
    index: chroma.index,
    spaces: () => filled,
    now: Date.now,
    whole: (spaces) => {
      whole = spaces;
    },
    dropped: () => {
      freed += 1;
    },
    log: { info: () => undefined, warn: () => undefined },
  });
  indexer.start();
};

const until = (holds: () => boolean) => untilHolds('it to come about', holds);

beforeEach(() => {
  freed = 0;
  sql = createStore();
  chroma = createIndex();
  whole = [];
  filled = [SPACE];
  searchesFirst = createSearchesFirst(() => performance.now());
});

afterEach(() => indexer.stop());

test('while callers search, vectors are sent when the step before has ended', async () => {
  const share = Promise.withResolvers<void>();
  searchesFirst.searched();
  const stored = searchesFirst.run(() => share.promise);
  sql.add(1, 10);
  start();
  await until(() => indexer.state().status === 'draining');
  await turns(20);
  expect(chroma.held.size).toBe(0);
  share.resolve();
  await stored;
  await until(() => chroma.held.size === 10);
});

test('batches are as large as the index takes best, and smaller while callers search', async () => {
  let now = 0;
  searchesFirst = createSearchesFirst(() => now);
  searchesFirst.searched();
  sql.add(1, 600);
  start();
  await until(() => chroma.held.size === 600 && sql.pending() === 0);
  now = 60_000;
  sql.add(601, 600);
  indexer.wake();
  await until(() => chroma.held.size === 1_200 && sql.pending() === 0);
  expect(chroma.sizes).toEqual([300, 300, 600]);
});

test('pending entries reach the index, and the index is trusted only after that', async () => {
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

test('the last word about a number counts, whichever came first', async () => {
  sql.add(1, 3);
  start();
  await until(() => sql.pending() === 0);
  sql.remove(1, 2);
  sql.add(1, 1);
  indexer.wake();
  await until(() => sql.pending() === 0);
  expect([...chroma.held].sort()).toEqual([1, 3]);
  expect(chroma.dropped).toEqual([]);
});

test('an index that lost entries is filled again though work never ends', async () => {
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

test('an index that fails is not trusted, and receives everything when it is back', async () => {
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

test('an index is filled anew after most of it was deleted, because it only marks deleted entries', async () => {
  sql.add(1, 6000);
  start();
  await until(() => chroma.held.size === 6000 && sql.pending() === 0);
  sql.remove(1, 4000);
  indexer.wake();
  await until(() => chroma.held.size === 2000 && sql.pending() === 0);
  expect(chroma.dropped).toEqual([]);
  sql.remove(4001, 1000);
  indexer.wake();
  await until(() => chroma.dropped.length === 1 && freed === 1);
  await until(() => chroma.held.size === 1000 && sql.pending() === 0 && indexer.state().status === 'current');
  expect(whole).toEqual([SPACE.id]);
  sql.remove(5001, 900);
  indexer.wake();
  await until(() => chroma.held.size === 100 && sql.pending() === 0);
  expect(chroma.dropped).toEqual([SPACE.id]);
});

test('an index of which many were deleted and more stay is not filled anew, and the indexer rests', async () => {
  sql.add(1, 9000);
  start();
  await until(() => chroma.held.size === 9000 && sql.pending() === 0);
  sql.remove(1, 5500);
  indexer.wake();
  await until(() => chroma.held.size === 3500 && sql.pending() === 0);
  await until(() => indexer.state().status === 'current');
  expect(chroma.dropped).toEqual([]);
});

test('an index of another number of shards is dropped before anything is written, freed, and filled anew', async () => {
  sql.add(1, 500);
  start();
  await until(() => whole.length > 0 && sql.pending() === 0);
  await indexer.stop();
  chroma.divideOtherwise();
  whole = [];
  start();
  await until(() => chroma.held.size === 500 && whole.length > 0);
  expect(freed).toBe(2);
});

test('a container comes into the index once it is large enough, also while it grows, and stays in it', async () => {
  sql.add(1, 99);
  sql.add(SPAN, 2);
  start(100);
  await until(() => sql.pending() === 0 && whole.length > 0);
  expect(chroma.held.size).toBe(0);
  let next = 100;
  const adding = setInterval(() => {
    sql.add(next, 50);
    next += 50;
    indexer.wake();
  }, 2);
  await until(() => chroma.held.has(1) && next > 5000);
  clearInterval(adding);
  await until(() => sql.pending() === 0 && chroma.held.size === next - 1);
  expect(chroma.held.has(SPAN)).toBe(false);
  sql.remove(1, 4000);
  sql.add(SPAN + 2, 90);
  indexer.wake();
  await until(() => sql.pending() === 0 && chroma.held.size === next - 4001);
  expect(chroma.dropped).toEqual([SPACE.id]);
});

test('another bound drops the index, and it is filled with the containers that are large enough', async () => {
  sql.add(1, 5000);
  sql.add(SPAN, 50);
  start();
  await until(() => chroma.held.size === 5050 && whole.length > 0);
  for (const [bound, held, drops] of [
    [100, 5000, 1],
    [10, 5050, 2],
    [10, 5050, 2],
    [0, 5050, 3],
  ] as const) {
    await indexer.stop();
    whole = [];
    start(bound);
    await until(() => chroma.held.size === held && whole.length > 0 && sql.pending() === 0);
    await until(() => indexer.state().status === 'current');
    expect(chroma.dropped).toHaveLength(drops);
  }
});

test('an index without small containers that lost entries gets those of the large ones again', async () => {
  sql.add(1, 500);
  sql.add(SPAN, 50);
  start(100);
  await until(() => chroma.held.size === 500 && whole.length > 0 && sql.pending() === 0);
  chroma.held.clear();
  indexer.restarted();
  await until(() => chroma.dropped.length === 2 && chroma.held.size === 500);
  expect(chroma.held.has(SPAN)).toBe(false);
});

test('no search relies on the index while another process keeps it, until it was compared again', async () => {
  sql.add(1, 10);
  let mine = true;
  start(0, { hold: async (duty) => (mine ? allDuties.hold(duty) : null) });
  await until(() => whole.includes(SPACE.id) && sql.pending() === 0);
  mine = false;
  indexer.wake();
  await until(() => indexer.state().status === 'elsewhere');
  expect(whole).toEqual([]);
  mine = true;
  indexer.wake();
  await until(() => whole.includes(SPACE.id));
});

test('a former space is dropped between batches, never during one', async () => {
  sql.add(1, 100);
  const release = chroma.hold();
  start();
  await until(() => chroma.asked() > 0);
  filled = [];
  const drop = indexer.drop(SPACE.id);
  await turns(50);
  expect(chroma.dropped).toEqual([]);
  release();
  await drop;
  expect(chroma.dropped).toEqual([SPACE.id]);
});

test('a drop that always fails is given up when the indexer stops', async () => {
  chroma.fail(new Error('gone away'));
  start();
  const drop = indexer.drop(SPACE.id).catch((error: Error) => error.message);
  await indexer.stop();
  expect(await drop).toContain('stopping');
  await expect(indexer.drop(SPACE.id)).rejects.toThrow('stopping');
});
