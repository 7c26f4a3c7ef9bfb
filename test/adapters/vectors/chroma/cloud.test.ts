// Tests of the limits of Chroma Cloud, on a stand-in that refuses what exceeds them.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pacedHttp } from '../../../../server/adapters/vectors/chroma/pace.ts';
import { createChromaIndex } from '../../../../server/adapters/vectors/chroma/vector-index.ts';
import { turns, until } from '../../../support/until.ts';
import { DIMENSIONS, everything, rowsOf, vectorOf } from './fixtures/chroma.ts';
import { type Cloud, startCloud } from './fixtures/cloud.ts';

let cloud: Cloud;
beforeEach(async () => {
  cloud = await startCloud();
});
afterEach(() => cloud.close());

const open = (more: { shards?: number; queryMs?: number } = {}) => {
  const { queryMs = 30_000, shards = 1 } = more;
  const url = () => cloud.url;
  return createChromaIndex({ url, namespace: 'test', paced: true, shards, limits: { queryMs } });
};

const request = { space: 1, vector: vectorOf(7), k: 3, containers: null };

test('eight queries of a collection are under way, and the others wait for their turn', async () => {
  const index = open();
  await index.upsert(1, DIMENSIONS, rowsOf(0, 20));
  const release = cloud.hold();
  const searches = Array.from({ length: 30 }, () => index.nearest(everything, request));
  await until('eight queries', () => cloud.underWay() === 8);
  await turns(50);
  expect(cloud.underWay()).toBe(8);
  release();
  for (const found of await Promise.all(searches)) expect(found[0]?.n).toBe(7);
  expect([cloud.busiest(), cloud.refused()]).toEqual([8, 0]);
});

test('searches of several processes together are too many, wait, and are all answered', async () => {
  const indexes = [open(), open(), open()];
  await indexes[0]?.upsert(1, DIMENSIONS, rowsOf(0, 20));
  const release = cloud.hold();
  const searches = indexes.flatMap((index) =>
    Array.from({ length: 12 }, () => index.nearest(everything, request)),
  );
  await until('a refusal', () => cloud.refused() > 0);
  release();
  for (const found of await Promise.all(searches)) expect(found[0]?.n).toBe(7);
  expect(cloud.busiest()).toBe(10);
});

test('who leaves the queue is not waited for, and nobody waits longer than the limit', async () => {
  const index = open();
  await index.upsert(1, DIMENSIONS, rowsOf(0, 20));
  const release = cloud.hold();
  const first = Array.from({ length: 8 }, () => index.nearest(everything, request));
  await until('eight queries', () => cloud.underWay() === 8);
  const leaving = new AbortController();
  const left = index.nearest(everything, request, leaving.signal);
  const next = index.nearest(everything, request);
  leaving.abort(new Error('the caller left'));
  await expect(left).rejects.toThrow('the caller left');
  release();
  for (const found of await Promise.all([...first, next])) expect(found[0]?.n).toBe(7);

  const { promise: held, resolve: answer } = Promise.withResolvers<unknown>();
  const ask = pacedHttp(() => held);
  const calls = Array.from({ length: 8 }, () => ask('POST', '/a/query', { limitMs: 30_000 }));
  await expect(ask('POST', '/a/query', { limitMs: 50 })).rejects.toThrow(
    /Chroma is busy: the 8 calls .* took 50 ms/,
  );
  answer('answered');
  expect(await Promise.all([...calls, ask('POST', '/a/query', { limitMs: 50 })])).toHaveLength(9);
});

test('a search that is refused until its time is over ends with the refusal', async () => {
  const others = [open(), open()];
  await others[0]?.upsert(1, DIMENSIONS, rowsOf(0, 20));
  const release = cloud.hold();
  const busy = others.flatMap((index) => Array.from({ length: 5 }, () => index.nearest(everything, request)));
  await until('ten queries', () => cloud.underWay() === 10);
  await expect(open({ queryMs: 200 }).nearest(everything, request)).rejects.toThrow(
    'Chroma answered with an error (429): Too many requests',
  );
  release();
  await Promise.all(busy);
});

test('writes hold at most 300 records, and a query of more than 300 results is asked again', async () => {
  const index = open();
  await index.upsert(1, DIMENSIONS, rowsOf(0, 700));
  await index.remove(1, [...Array(350).keys()]);
  expect(cloud.writes).toEqual([300, 300, 100, 300, 50]);
  expect(await index.nearest(everything, { ...request, k: 1_000 })).toHaveLength(300);
  expect(await index.count(1)).toBe(350);
});

test('vectors of too many numbers are refused with the remedy', async () => {
  const vector = new Float32Array(4_097).fill(1 / Math.sqrt(4_097));
  await expect(open().upsert(1, 4_097, [{ n: 1, container: 0, vector }])).rejects.toThrow(
    'Chroma Cloud takes vectors of at most 4096 numbers, and the embedding model makes 4097. Choose a model with fewer dimensions',
  );
});

test('a query of shards has 300 results of each, and asks eight at once', async () => {
  const index = open({ shards: 16 });
  const rows = Array.from({ length: 1_600 }, (_, at) => {
    const container = at % 160;
    return { n: container * 2 ** 28 + at, container, vector: vectorOf(at) };
  });
  await index.upsert(1, DIMENSIONS, rows);
  expect(cloud.collections().size).toBe(16);
  const release = cloud.hold();
  const search = index.nearest(everything, { ...request, k: 1_000 });
  await until('eight queries', () => cloud.underWay() === 8);
  await turns(50);
  expect(cloud.underWay()).toBe(8);
  release();
  const found = await search;
  expect(found).toHaveLength(1_000);
  expect(found[0]?.distance).toBeCloseTo(0, 4);
});
