// What analytics say of calls that were made: the very numbers, over hours and days, whoever counted them.
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import type { Called, CallFacts } from '../../../server/core/events.ts';
import type { Caller } from '../../../server/core/principal.ts';
import { createUsage, type Usage } from '../../../server/domain/usage/usage.ts';
import { percentile } from '../../../server/lib/histogram.ts';
import { DAY_MS, HOUR_MS } from '../../../server/lib/text/dates/calendar.ts';
import { isoTime } from '../../../server/lib/text/dates/format.ts';
import { everything } from '../../adapters/store/contract/world.ts';
import { type Clock, createClock } from '../../support/clock.ts';
import { openTestStore, type TestStore } from '../../support/store.ts';
import { thrownBy } from '../../support/thrown.ts';

const OPERATIONS = {
  'documents.add': 'add',
  'search.documents': 'search',
  'search.memories': 'search_v4',
  'documents.update': 'update',
  'memories.forget': 'delete',
  'session.get': 'request',
} as const;

const caller: Caller = {
  ...{ keyId: 'reader', keyName: 'Reader', permission: 'write', tags: null, expiresAt: null },
  ...{ rateLimit: null, role: 'owner', scope: everything },
};

let clock: Clock;
let store: TestStore;
beforeEach(() => {
  clock = createClock(Date.UTC(2026, 2, 1, 10, 30));
  store = openTestStore({ now: clock.now });
});
afterEach(() => store.close());

const open = (more: Partial<Parameters<typeof createUsage>[0]> = {}): Usage =>
  createUsage({
    store: { ...store.store.analytics, ...store.store.counting },
    quotas: store.store.quotas,
    checkMayLimit: async () => undefined,
    documents: async () => 7,
    keyNames: async () => new Map([['key-0', 'First']]),
    ...{ shared: false, requestLog: 'off', now: clock.now, log: { warn: () => undefined } },
    ...more,
  });

const called = (more: Partial<Called> = {}): Called => ({
  ...{ operation: 'documents.add', way: 'rest', requestId: 'r', keyId: 'key-0', status: 200, ms: 10 },
  ...more,
});

const facts = (more: Partial<CallFacts> = {}): CallFacts => ({
  ...{ tags: [], documents: 0, bytes: 0, searches: 0, input: {} },
  ...more,
});

const page = { page: 1, limit: 20 };

/** The same calls each time, in an order that only looks random. */
const chance = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % below;
  };
};

interface Made extends Called {
  at: number;
}

/** 10,000 calls by five keys over three days, counted by two processes that write at other times. */
const makeCalls = async (): Promise<Made[]> => {
  const next = chance(7);
  const processes = [open(), open()];
  const names = Object.keys(OPERATIONS);
  const made: Made[] = [];
  for (let at = 0; at < 10_000; at++) {
    clock.pass(at % 100 === 0 ? 2_592_000 : 0);
    const call = called({
      operation: names[next(names.length)] ?? '',
      keyId: `key-${next(5)}`,
      status: next(10) === 0 ? 404 : 200,
      ms: next(3_000),
    });
    processes[next(2)]?.record(call, facts());
    made.push({ ...call, at: clock.now() });
    if (at % 997 === 0) await processes[next(2)]?.flush();
  }
  for (const each of processes) await each.close();
  return made;
};

const average = (calls: readonly Made[]): number => calls.reduce((sum, { ms }) => sum + ms, 0) / calls.length;

describe('analytics', () => {
  it('give exactly the calls that were made', { timeout: 60_000 }, async () => {
    const begun = clock.now();
    const made = await makeCalls();
    const range = { from: begun, to: clock.now() + 1 };
    const usage = await open().usage(caller, { ...range, ...page });
    for (const { type, count, avgDuration, lastUsed } of usage.usage) {
      const these = made.filter(({ operation }) => OPERATIONS[operation as keyof typeof OPERATIONS] === type);
      expect([type, count]).toEqual([type, these.length]);
      expect(Math.abs((avgDuration ?? 0) - average(these))).toBeLessThan(1);
      expect(lastUsed).toBe(isoTime(Math.max(...these.map(({ at }) => at))));
    }
    const byKey = Map.groupBy(made, ({ keyId }) => keyId);
    expect(Object.fromEntries(usage.byKey.map(({ keyId, count }) => [keyId, count]))).toEqual(
      Object.fromEntries([...byKey].map(([key, each]) => [key, each.length])),
    );
    expect(usage.byKey.find(({ keyId }) => keyId === 'key-0')?.keyName).toBe('First');
    const byHour = Map.groupBy(made, ({ at }) => isoTime(at - (at % HOUR_MS)));
    expect(usage.hourly).toHaveLength(73);
    for (const { hour, count } of usage.hourly)
      expect([hour, count]).toEqual([hour, byHour.get(hour)?.length ?? 0]);
    expect(usage.hourly.some(({ count }) => count === 0)).toBe(true);

    const errors = await open().errors(caller, range);
    const failed = made.filter(({ status }) => status === 404);
    expect(errors.totalErrors).toBe(failed.length);
    expect(errors.errorRate).toBeCloseTo(failed.length / made.length, 10);
    expect(errors.byStatusCode).toEqual({ 404: failed.length });
    expect(errors.topErrors.reduce((sum, { count }) => sum + count, 0)).toBe(failed.length);
    expect(errors.timeline.reduce((sum, { count }) => sum + count, 0)).toBe(failed.length);

    const memory = await open().memory(caller, range);
    const searches = made.filter(({ operation }) => operation.startsWith('search.'));
    expect(memory).toMatchObject({ searchQueries: searches.length, searchGrowth: 0, totalMemories: 0 });
  });

  it('group by operation, way, status and tag, with documents, bytes and percentiles', async () => {
    await store.store.tags.upsert(everything, 'one', {});
    const usage = open();
    usage.record(called({ ms: 3 }), facts({ tags: ['one'], documents: 2, bytes: 30 }));
    usage.record(called({ ms: 900, status: 409 }), facts({ tags: ['one'], documents: 2, bytes: 30 }));
    usage.record(called({ operation: '', keyId: '', status: 401, ms: 0 }));
    await store.store.usage.add({ key: 'key-0', tags: ['one'] }, { inputTokens: 5, outputTokens: 1 });
    const groups = async (groupBy: 'operation' | 'tag' | 'way' | 'status') =>
      (await usage.usage(caller, { ...page, groupBy })).groups;
    expect(await groups('tag')).toEqual([
      {
        ...{ name: 'one', count: 2, documents: 2, bytes: 30, lastUsed: isoTime(clock.now()) },
        ...{ inputTokens: 5, outputTokens: 1 },
      },
    ]);
    expect(await groups('operation')).toMatchObject([
      { name: 'documents.add', count: 2, errors: 1, documents: 2, bytes: 30, avgDuration: 451.5 },
      { name: null, count: 1, errors: 1 },
    ]);
    expect((await groups('status'))?.map(({ name, count }) => [name, count]).toSorted()).toEqual([
      ['200', 1],
      ['401', 1],
      ['409', 1],
    ]);
    expect(await groups('way')).toMatchObject([{ name: 'rest', count: 3 }]);
    const { percentiles, byKey, completeUntil } = await usage.usage(caller, page);
    expect(percentiles.p99).toBeGreaterThan(512);
    expect(percentiles.p99).toBeLessThanOrEqual(900);
    expect(byKey).toMatchObject([{ keyId: 'key-0', documents: 2, bytes: 30, inputTokens: 5 }]);
    expect(completeUntil).toBe(isoTime(clock.now()));
  });

  it('say that other processes may not have written their last seconds', async () => {
    const { completeUntil } = await open({ shared: true }).usage(caller, page);
    expect(completeUntil).toBe(isoTime(clock.now() - 10_000));
  });

  it('compare with the time before', async () => {
    const usage = open();
    const search = called({ operation: 'search.memories' });
    usage.record(search);
    usage.record(search);
    clock.pass(DAY_MS + HOUR_MS);
    for (let at = 0; at < 3; at++) usage.record(search);
    expect(await usage.memory(caller, { period: '24h' })).toMatchObject({
      searchQueries: 3,
      searchGrowth: 50,
    });
  });

  it('reach back for 90 days, and refuse a range without time', async () => {
    const { hourly } = await open().usage(caller, { ...page, period: 'all' });
    expect(hourly).toHaveLength(90 * 24 + 1);
    const at = clock.now();
    expect((await thrownBy(() => open().errors(caller, { from: at, to: at }))).status).toBe(400);
    const { hourly: older } = await open().usage(caller, { ...page, from: at - 400 * DAY_MS });
    expect(older).toHaveLength(90 * 24 + 1);
  });

  it('reach up to now, however far the end that is asked for lies ahead', async () => {
    const at = clock.now();
    const to = Date.UTC(9999, 11, 31);
    const { hourly } = await open().usage(caller, { ...page, from: at - 2 * HOUR_MS, to });
    expect(hourly).toHaveLength(3);
    expect((await open().usage(caller, { ...page, from: at + DAY_MS, to })).hourly).toEqual([]);
  });

  it('answer a hundred times a minute', async () => {
    const usage = open();
    for (let at = 0; at < 100; at++) await usage.errors(caller, { period: '1h' });
    const refused = await thrownBy(() => usage.memory(caller, {}));
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, expect.any(String)]);
  });
});

describe('what is recorded', () => {
  it('is kept when it cannot be written, and written with what came since', async () => {
    const writes: number[] = [];
    let broken = true;
    const { write, prune } = store.store.counting;
    const failing: typeof write = async (batch) => {
      writes.push(batch.calls.reduce((sum, { count }) => sum + count, 0));
      if (broken) throw new Error('The disk is full.');
      await write(batch);
    };
    const usage = open({ store: { ...store.store.analytics, write: failing, prune }, requestLog: 'meta' });
    usage.record(called());
    await expect(usage.flush()).rejects.toThrow('full');
    usage.record(called());
    broken = false;
    await usage.flush();
    await usage.flush();
    expect(writes).toEqual([1, 2]);
    expect((await usage.logs(caller, page)).pagination.totalItems).toBe(2);
  });

  it('is written once in ten seconds while calls go on, so that a process that is killed loses ten seconds at most', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const writes: number[] = [];
      const write: typeof store.store.counting.write = async ({ calls, requests }) => {
        expect(calls.reduce((sum, { count }) => sum + count, 0)).toBe(requests.length);
        writes.push(requests.length);
      };
      const { prune } = store.store.counting;
      const usage = open({ store: { ...store.store.analytics, write, prune }, requestLog: 'meta' });
      for (let second = 0; second < 65; second++) {
        usage.record(called(), facts());
        await vi.advanceTimersByTimeAsync(1_000);
      }
      expect(writes).toEqual([10, 10, 10, 10, 10, 10]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is written early when very many calls come', async () => {
    let written = 0;
    const usage = open({
      store: {
        ...store.store.analytics,
        prune: store.store.counting.prune,
        write: async ({ requests }) => {
          written += requests.length;
        },
      },
      requestLog: 'meta',
    });
    for (let at = 0; at < 2_000; at++) usage.record(called());
    await usage.flush();
    expect(written).toBe(2_000);
  });
});

it('a quota holds within 1 % where one process stands still while the other goes on', async () => {
  await store.store.tags.upsert(everything, 'limited', {});
  const most = 200;
  await store.store.quotas.change({ of: 'tag', id: 'limited', quotas: { documentsPerDay: most } });
  const [slow, fast] = [open({ shared: true }), open({ shared: true })];
  const one = facts({ tags: ['limited'], documents: 1 });
  let taken = 0;
  const add = async (process: Usage, count: number): Promise<void> => {
    for (let at = 0; at < count; at++) {
      const done = await process.quotas.admit(caller, one);
      process.record(called(), one);
      done();
      taken += 1;
    }
  };
  await add(fast, 168);
  await slow.flush();
  await fast.flush();
  await add(slow, 3);
  expect((await thrownBy(() => add(fast, most))).status).toBe(429);
  expect((await thrownBy(() => add(slow, most))).status).toBe(429);
  expect(Math.abs(taken - most), `${taken} were taken`).toBeLessThanOrEqual(most / 100);
});

test('percentiles lie within the bucket of their call', () => {
  const buckets = [0, 0, 10, 80, 10, ...new Array<number>(11).fill(0)];
  expect(percentile(buckets, 16, 0.5)).toBeCloseTo(6, 1);
  expect(percentile(buckets, 16, 0.05)).toBeGreaterThan(2);
  expect(percentile(buckets, 11, 0.99)).toBe(11);
  expect(percentile([], 0, 0.5)).toBeNull();
});
