// Tests of the vector index on a real Chroma.
import { existsSync, renameSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createChromaHttp } from '../../../../server/adapters/vectors/chroma/http.ts';
import {
  type ChromaServer,
  createChromaServer,
} from '../../../../server/adapters/vectors/chroma/server/supervisor.ts';
import {
  type ChromaIndex,
  createChromaIndex,
} from '../../../../server/adapters/vectors/chroma/vector-index.ts';
import { startDoor } from '../../../service/support/door.ts';
import {
  DIMENSIONS,
  eventually,
  everything,
  rowsOf,
  type TestFolder,
  testFolder,
  vectorOf,
} from './fixtures/chroma.ts';

let at: TestFolder;
let server: ChromaServer;
let index: ChromaIndex;
let space = 0;

beforeAll(async () => {
  at = testFolder();
  server = createChromaServer({ folder: at.folder, log: () => {} });
  await server.ready();
  index = createChromaIndex({ url: server.url, namespace: 'test' });
});
afterAll(async () => {
  await index.close();
  await server.stop();
  at.remove();
});
beforeEach(() => {
  space += 1;
});

const nearest = async (n: number, k: number, client = index) =>
  (await client.nearest(everything, { space, vector: vectorOf(n), k, containers: null })).map((hit) => hit.n);

describe('the index in a real Chroma', () => {
  it('finds a vector by itself, nearest first, with cosine distances', async () => {
    await index.upsert(space, DIMENSIONS, rowsOf(0, 700));
    const hits = await index.nearest(everything, { space, vector: vectorOf(650), k: 10, containers: null });
    expect(hits).toHaveLength(10);
    expect(hits[0]?.n).toBe(650);
    expect(hits[0]?.distance).toBeCloseTo(0, 4);
    const distances = hits.map((hit) => hit.distance);
    expect(distances).toEqual(distances.toSorted((a, b) => a - b));
    const cosine = vectorOf(650).reduce((sum, x, i) => sum + x * (vectorOf(hits[5]?.n ?? 0)[i] ?? 0), 0);
    expect(distances[5]).toBeCloseTo(1 - cosine, 4);
  });

  it('stores numbers as large as a container and a sequence make them', async () => {
    const n = 3_000_000 * 2 ** 28 + 5;
    await index.upsert(space, DIMENSIONS, [{ n, container: 3_000_000, vector: vectorOf(1) }]);
    expect(await nearest(1, 5)).toEqual([n]);
    await index.remove(space, [n]);
    expect(await index.count(space)).toBe(0);
  });

  it('overwrites the vector and its container', async () => {
    await index.upsert(space, DIMENSIONS, rowsOf(0, 3));
    await index.upsert(space, DIMENSIONS, [{ n: 1, container: 9, vector: vectorOf(77) }]);
    expect(await index.count(space)).toBe(3);
    expect(await nearest(77, 1)).toEqual([1]);
  });

  it('returns all vectors when more are requested', async () => {
    await index.upsert(space, DIMENSIONS, rowsOf(0, 12));
    expect(await nearest(3, 1_000)).toHaveLength(12);
    expect(await nearest(3, 0)).toEqual([]);
  });

  it('proposes from all containers alike', async () => {
    for (const container of [1, 2, 3])
      await index.upsert(space, DIMENSIONS, rowsOf(container * 10, 4, container));
    expect((await nearest(20, 50)).toSorted()).toEqual([10, 11, 12, 13, 20, 21, 22, 23, 30, 31, 32, 33]);
  });

  it('removes vectors, and accepts missing ones', async () => {
    await index.upsert(space, DIMENSIONS, rowsOf(0, 650));
    await index.remove(space, [...Array(640).keys(), 100_000]);
    expect(await index.count(space)).toBe(10);
    expect((await nearest(3, 50)).toSorted()).toEqual([640, 641, 642, 643, 644, 645, 646, 647, 648, 649]);
    await index.remove(space, []);
  });

  it('answers for an unknown space', async () => {
    expect(await nearest(1, 10)).toEqual([]);
    expect(await index.count(space)).toBeNull();
    await index.remove(space, [1]);
    await index.drop(space);
    await index.upsert(space, DIMENSIONS, []);
    expect(await index.count(space)).toBeNull();
  });

  it('keeps spaces of different dimensions, and other installations, apart', async () => {
    const other = createChromaIndex({ url: server.url, namespace: 'another' });
    await index.upsert(space, DIMENSIONS, rowsOf(0, 5));
    await index.upsert(space + 1_000, 8, [{ n: 1, container: 1, vector: vectorOf(1, 8) }]);
    await other.upsert(space, DIMENSIONS, rowsOf(50, 2));
    expect([await index.count(space), await index.count(space + 1_000), await other.count(space)]).toEqual([
      5, 1, 2,
    ]);
    await other.drop(space);
    expect([await index.count(space), await other.count(space)]).toEqual([5, null]);
  });

  it('continues when another client drops a space and makes it anew', async () => {
    const second = createChromaIndex({ url: server.url, namespace: 'test' });
    await index.upsert(space, DIMENSIONS, rowsOf(0, 5));
    expect(await nearest(2, 1, second)).toEqual([2]);
    await index.drop(space);
    expect(await nearest(2, 1, second)).toEqual([]);
    await second.upsert(space, DIMENSIONS, rowsOf(10, 3));
    await index.upsert(space, DIMENSIONS, rowsOf(13, 1));
    expect(await nearest(11, 10)).toHaveLength(4);
    await index.drop(space);
    await second.upsert(space, DIMENSIONS, rowsOf(20, 1));
    expect(await second.count(space)).toBe(1);
  });

  it('refuses vectors that could never be found again, and names the chunk', async () => {
    const short = [{ n: 7, container: 1, vector: vectorOf(1, 8) }];
    await expect(index.upsert(space, DIMENSIONS, short)).rejects.toThrow(
      'chunk 7 has 8 numbers where 32 were expected',
    );
    const broken = [{ n: 8, container: 1, vector: vectorOf(1).with(3, Number.NaN) }];
    await expect(index.upsert(space, DIMENSIONS, broken)).rejects.toThrow(
      'chunk 8 holds something that is no number',
    );
    expect(await index.count(space)).toBeNull();
  });

  it('makes collections of cosine distance with a wide search and no embedding function', async () => {
    await index.upsert(space, DIMENSIONS, rowsOf(0, 1));
    const path = `/tenants/default_tenant/databases/default_database/collections/memoir-test-${space}`;
    const collection = await createChromaHttp({ url: server.url })('GET', path, { limitMs: 2_000 });
    expect(collection).toMatchObject({
      configuration_json: { hnsw: { space: 'cosine', ef_search: 800 }, embedding_function: null },
    });
  });

  it('divides a space by container, asks the shards of the containers alone, and agrees with one collection', async () => {
    const sharded = createChromaIndex({ url: server.url, namespace: 'sharded', shards: 4 });
    const rows = Array.from({ length: 400 }, (_, at) => {
      const container = at % 40;
      return { n: container * 2 ** 28 + at, container, vector: vectorOf(at) };
    });
    await index.upsert(space, DIMENSIONS, rows);
    await sharded.upsert(space, DIMENSIONS, rows);
    expect(await sharded.count(space)).toBe(400);
    const request = { space, vector: vectorOf(123), k: 50, containers: null };
    const whole = await index.nearest(everything, request);
    const merged = await sharded.nearest(everything, request);
    expect(merged.map(({ n }) => n)).toEqual(whole.map(({ n }) => n));
    const few = await sharded.nearest(everything, { ...request, k: 400, containers: [3] });
    expect(few.filter(({ n }) => Math.floor(n / 2 ** 28) === 3)).toHaveLength(10);
    expect(few.length).toBeLessThan(200);
    await sharded.remove(
      space,
      rows.slice(0, 100).map(({ n }) => n),
    );
    expect(await sharded.count(space)).toBe(300);
    await sharded.drop(space);
    expect(await sharded.count(space)).toBeNull();
  });

  it('drops what another number of shards left, and nothing of other installations', async () => {
    const one = createChromaIndex({ url: server.url, namespace: 'redivided' });
    const two = createChromaIndex({ url: server.url, namespace: 'redivided', shards: 2 });
    await index.upsert(space, DIMENSIONS, rowsOf(0, 1));
    for (const each of [space, space + 2_000]) await one.upsert(each, DIMENSIONS, rowsOf(0, 3));
    expect(await one.dropOtherLayouts()).toBe(false);
    expect(await two.dropOtherLayouts()).toBe(true);
    expect([await one.count(space), await one.count(space + 2_000)]).toEqual([null, null]);
    await two.upsert(space, DIMENSIONS, rowsOf(0, 3));
    expect(await two.dropOtherLayouts()).toBe(false);
    expect([await two.count(space), await index.count(space)]).toEqual([3, 1]);
    expect(await one.dropOtherLayouts()).toBe(true);
    expect(await two.count(space)).toBeNull();
  });

  it('stops when the caller aborts, and when it is closed', async () => {
    const request = { space, vector: vectorOf(1), k: 1, containers: null };
    const gone = AbortSignal.abort(new Error('the caller left'));
    await expect(index.nearest(everything, request, gone)).rejects.toThrow('the caller left');
    const closed = createChromaIndex({ url: server.url, namespace: 'test' });
    await closed.close();
    await expect(closed.count(space)).rejects.toThrow('The connection to Chroma was closed.');
  });

  it('drops a space whose records were lost, so that it is filled again', async () => {
    await index.upsert(space, DIMENSIONS, rowsOf(0, 5));
    const door = await startDoor(() => server.url() ?? null);
    try {
      const through = createChromaIndex({ url: () => door.url, namespace: 'test' });
      door.turn(async ({ path }, pass) =>
        path.endsWith('/query')
          ? { status: 500, body: Buffer.from('{"message":"Failed to get segments"}') }
          : pass(),
      );
      expect(await through.count(space)).toBeNull();
      door.turn();
      expect(await through.count(space)).toBeNull();
      await through.upsert(space, DIMENSIONS, rowsOf(0, 2));
      expect(await through.count(space)).toBe(2);
    } finally {
      await door.close();
    }
  });

  it('reports the health of Chroma', async () => {
    let url: string | null = server.url();
    const client = createChromaIndex({ url: () => url, namespace: 'test', limits: { readyMs: 100 } });
    expect(client.state()).toEqual({ status: 'starting' });
    await client.ready();
    expect(client.state()).toEqual({ status: 'ready' });
    url = null;
    await expect(
      client.nearest(everything, { space, vector: vectorOf(1), k: 1, containers: null }),
    ).rejects.toThrow('Chroma does not answer');
    expect(client.state()).toMatchObject({ status: 'down', detail: expect.stringContaining('not running') });
    await expect(client.ready()).rejects.toThrow('Chroma does not answer');
  });

  it('names the wrong setting when the database does not exist', async () => {
    const client = createChromaIndex({
      url: server.url,
      namespace: 'test',
      tenant: 'acme',
      database: 'memories',
    });
    await expect(client.ready()).rejects.toThrow(
      /no database at .*acme.*memories.*CHROMA_TENANT and CHROMA_DATABASE/,
    );
  });

  it('refuses a namespace that Chroma would refuse later', () => {
    expect(() => createChromaIndex({ url: () => null, namespace: 'a b' })).toThrow('namespace may hold');
  });
});

/** Only what a hosted Chroma does and a local one does not: quotas, identity, no base64. */
const hosted = async (answer: (path: string, body: Record<string, unknown>) => [number, unknown]) => {
  const asked: string[] = [];
  const host = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const path = (request.url ?? '').replace('/api/v2', '');
      asked.push(path);
      const [status, body] = answer(path, text === '' ? {} : JSON.parse(text));
      response.writeHead(status).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((listening) => host.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  return { url, asked, close: () => host.close() };
};

describe('the index in a hosted Chroma', () => {
  it('requests as many results as the quota allows', async () => {
    const sizes: unknown[] = [];
    const host = await hosted((path, body) => {
      if (!path.endsWith('/query')) return [200, { id: 'x' }];
      sizes.push(body.n_results);
      if (Number(body.n_results) > 300) return [422, { message: "Quota exceeded: 'Number of results'" }];
      return [200, { ids: [['4']], distances: [[0.25]] }];
    });
    const client = createChromaIndex({ url: () => host.url, namespace: 'test' });
    const request = { space: 1, vector: vectorOf(1), k: 1_000, containers: null };
    expect(await client.nearest(everything, request)).toEqual([{ n: 4, distance: 0.25 }]);
    await client.nearest(everything, request);
    expect(sizes).toEqual([1_000, 300, 300]);
    host.close();
  });

  it('finds the database of the token, and writes in batches that the server accepts', async () => {
    const batches: number[] = [];
    const host = await hosted((path, body) => {
      if (path === '/auth/identity') return [200, { tenant: 'acme', databases: ['memories'] }];
      if (path === '/pre-flight-checks') return [200, { max_batch_size: 2, supports_base64_encoding: false }];
      if (path.endsWith('/upsert')) {
        const vectors = body.embeddings as unknown[][];
        expect(vectors[0]).toHaveLength(DIMENSIONS);
        batches.push(vectors.length);
      }
      return [200, { id: 'x' }];
    });
    const client = createChromaIndex({ url: () => host.url, namespace: 'test', token: 'secret' });
    await client.upsert(1, DIMENSIONS, rowsOf(0, 5));
    expect(batches).toEqual([2, 2, 1]);
    expect(host.asked).toContain('/tenants/acme/databases/memories/collections/memoir-test-1');
    host.close();
  });

  it('reports an address that leads to another service', async () => {
    const host = await hosted(() => [404, {}]);
    const client = createChromaIndex({ url: () => host.url, namespace: 'test' });
    await expect(client.ready()).rejects.toThrow('no v2 interface. Check the address');
    host.close();
  });
});

it('makes nothing at the old place of a data folder that was moved, and goes on when it is back', async () => {
  const own = testFolder();
  const timing = { heartbeatMs: 50, firstPauseMs: 20, longestPauseMs: 50 };
  const moving = createChromaServer({ folder: own.folder, log: () => {}, timing });
  await moving.ready();
  const other = createChromaIndex({ url: moving.url, namespace: 'test' });
  await other.upsert(1, DIMENSIONS, rowsOf(0, 10));
  const moved = `${own.root}-moved`;
  renameSync(own.root, moved);
  await eventually(() => moving.state().detail?.includes('is not there. Put it back') === true);
  expect(existsSync(own.root)).toBe(false);
  renameSync(moved, own.root);
  await eventually(() => moving.state().status === 'ready');
  expect(await other.count(1)).toBe(10);
  await other.close();
  await moving.stop();
  own.remove();
});
