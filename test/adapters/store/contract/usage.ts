// Usage: counts add up whoever writes them, old hours become days, and the log of requests keeps to its bounds.
import { describe, expect, test } from 'vitest';
import type {
  CallCount,
  RequestRow,
  TagCount,
} from '../../../../server/adapters/store/ports/usage/analytics.ts';
import { DAY_MS, HOUR_MS, startOfHour } from '../../../../server/lib/text/dates/calendar.ts';
import { everything, type OpenStore, only, openWorld, type World } from './world.ts';

const DAY = Date.UTC(2026, 2, 1);

const call = (more: Partial<CallCount> = {}): CallCount => ({
  ...{
    start: DAY,
    key: 'k',
    operation: 'documents.add',
    way: 'rest',
    status: 200,
    count: 2,
    sumMs: 30,
    maxMs: 20,
  },
  ...{
    documents: 2,
    bytes: 100,
    lastAt: DAY + 5,
    buckets: [0, 0, 0, 0, 1, 1, ...new Array<number>(10).fill(0)],
  },
  ...more,
});

const tagged = (tag: string, more: Partial<TagCount> = {}): TagCount => ({
  ...{ start: DAY, tag, type: 'add', count: 2, documents: 2, bytes: 100, lastAt: DAY + 5 },
  ...more,
});

const request = (more: Partial<RequestRow> = {}): RequestRow => ({
  ...{
    at: DAY,
    id: 'r',
    type: 'search',
    operation: 'search.documents',
    way: 'rest',
    key: 'k',
    status: 200,
    ms: 7,
  },
  ...{ input: '{"q":"secret"}', output: '{}', units: [] },
  ...more,
});

const nothing = { calls: [], tags: [], requests: [] };
const all = { from: 0, to: DAY + 1_000 * DAY_MS };

const tagSums = async ({ store }: World) =>
  (await store.analytics.tags(everything, all)).map(({ tag, count, bytes }) => [tag, count, bytes]);

export const usageContract = (open: OpenStore): void => {
  describe('usage', () => {
    test('adds what several processes counted, and sums it by what is asked for', async () => {
      await using world = await openWorld(open);
      const { analytics, counting } = world.store;
      const later = call({ lastAt: DAY + 9, maxMs: 90, sumMs: 100, count: 1, documents: 0, bytes: 0 });
      await Promise.all([
        counting.write({ ...nothing, calls: [call(), call({ key: 'other', status: 404 })] }),
        counting.write({ ...nothing, calls: [later, call({ start: DAY + HOUR_MS })] }),
      ]);
      const sums = await analytics.calls(everything, { ...all, by: ['key'] });
      expect(sums.toSorted((a, b) => a.key.localeCompare(b.key))).toEqual([
        {
          ...{ start: 0, key: 'k', operation: '', way: '', status: 0, count: 5, sumMs: 160, maxMs: 90 },
          ...{ documents: 4, bytes: 200, lastAt: DAY + 9, buckets: call().buckets.map((count) => 3 * count) },
        },
        { ...call(), start: 0, key: 'other', operation: '', way: '', status: 0 },
      ]);
      const hours = await analytics.calls(everything, {
        from: DAY,
        to: DAY + HOUR_MS,
        by: ['start', 'status'],
      });
      expect(hours.map(({ start, status, count }) => [start, status, count]).toSorted()).toEqual([
        [DAY, 200, 3],
        [DAY, 404, 2],
      ]);
      expect(await analytics.calls(everything, { ...all, by: [], key: 'other' })).toMatchObject([
        { count: 2 },
      ]);
      expect(await analytics.calls(only('a'), { ...all, by: [] })).toEqual([]);
    });

    test('counts by tag, gives the counts of merged tags to the target, and those of a deleted one to none', async () => {
      await using world = await openWorld(open);
      const { counting, tags } = world.store;
      for (const tag of ['one', 'two', 'three']) await tags.upsert(everything, tag, { name: tag });
      const counted = ['one', 'two', 'three', 'unknown'].map((tag) => tagged(tag));
      await counting.write({ ...nothing, tags: counted });
      expect((await tagSums(world)).toSorted()).toEqual([
        ['one', 2, 100],
        ['three', 2, 100],
        ['two', 2, 100],
      ]);
      await tags.merge(everything, { id: 'm', sources: ['one'], target: 'two' });
      while (await world.merges.mergeSlice(10));
      await tags.remove(everything, 'three');
      await counting.write({ ...nothing, tags: counted });
      expect((await tagSums(world)).toSorted()).toEqual([
        [null, 2, 100],
        ['two', 6, 300],
      ]);
    });

    test('turns old hours into days with the same sums, and drops old days', async () => {
      await using world = await openWorld(open);
      const { counting, tags } = world.store;
      await tags.upsert(everything, 'one', {});
      const hours = [DAY, DAY + HOUR_MS, DAY + DAY_MS, DAY + 2 * DAY_MS];
      await counting.write({
        ...nothing,
        calls: hours.map((start) => call({ start })),
        tags: hours.map((start) => tagged('one', { start })),
      });
      const pruning = { hoursBefore: DAY + 2 * DAY_MS, daysBefore: 0, requestsBefore: 0, mostRequests: 100 };
      await counting.prune(pruning);
      await counting.prune(pruning);
      const stored = () =>
        world.rows(
          'select span, start, count, sum_ms, max_ms, b4, bytes from usage_calls order by span, start',
        );
      const day = { span: 'day', sum_ms: 30, max_ms: 20 };
      expect((await stored()).map((row) => ({ ...row, start: Number(row.start) }))).toEqual([
        { ...day, start: DAY, count: 4, sum_ms: 60, b4: 2, bytes: 200 },
        { ...day, start: DAY + DAY_MS, count: 2, b4: 1, bytes: 100 },
        { ...day, span: 'hour', start: DAY + 2 * DAY_MS, count: 2, b4: 1, bytes: 100 },
      ]);
      await counting.prune({ ...pruning, daysBefore: DAY + DAY_MS });
      expect(await stored()).toHaveLength(2);
      expect(await world.rows('select 1 from usage_tags')).toHaveLength(2);
    });

    test('lists requests newest first, narrowed, and keeps the newest', async () => {
      await using world = await openWorld(open);
      const { analytics, counting } = world.store;
      const rows = [
        request({ id: 'a' }),
        request({ id: 'b', status: 404, at: DAY + 1, key: 'other', type: 'request' }),
        request({ id: 'c', status: 499, at: DAY + 2 }),
      ];
      await counting.write({ ...nothing, requests: rows });
      const ids = async (more: object = {}) =>
        (await analytics.requests(everything, { ...all, offset: 0, limit: 10, ...more })).rows.map(
          ({ id }) => id,
        );
      expect(await ids()).toEqual(['c', 'b', 'a']);
      expect(await ids({ outcome: 'error' })).toEqual(['b']);
      expect(await ids({ outcome: 'success' })).toEqual(['c', 'a']);
      expect(await ids({ key: 'other' })).toEqual(['b']);
      expect(await ids({ type: 'search', limit: 1, offset: 1 })).toEqual(['a']);
      expect(await ids({ id: 'b', status: 404 })).toEqual(['b']);
      expect(await analytics.requests(everything, { ...all, offset: 0, limit: 1 })).toMatchObject({
        total: 3,
      });
      expect(await analytics.requests(only('a'), { ...all, offset: 0, limit: 9 })).toEqual({
        rows: [],
        total: 0,
      });
      const pruning = { hoursBefore: 0, daysBefore: 0, requestsBefore: DAY + 1, mostRequests: 100 };
      await counting.prune(pruning);
      expect(await ids()).toEqual(['c', 'b']);
      await counting.prune({ ...pruning, mostRequests: 1 });
      expect(await ids()).toEqual(['c']);
    });

    test('erases the texts of the log with the documents and memories that they belong to', async () => {
      await using world = await openWorld(open);
      const { counting, documents } = world.store;
      const [gone, kept] = [await world.add('Gone.'), await world.add('Kept.')];
      await counting.write({
        ...nothing,
        requests: [request({ id: 'gone', units: [gone, kept] }), request({ id: 'kept', units: [kept] })],
      });
      await documents.remove(everything, { by: 'ref', ref: gone });
      expect(await world.rows('select id, input from requests order by id')).toEqual([
        { id: 'gone', input: '{}' },
        { id: 'kept', input: '{"q":"secret"}' },
      ]);
    });

    test('tells what a key, a member and a tag used since a moment', async () => {
      await using world = await openWorld(open);
      const { counting, quotas, tags, usage } = world.store;
      await tags.upsert(everything, 'one', {});
      await usage.add({ key: 'member', tags: ['one'] }, { inputTokens: 3, outputTokens: 4 });
      const search = call({ key: 'member', operation: 'search.memories', count: 5, documents: 0, bytes: 0 });
      await counting.write({
        ...nothing,
        calls: [call({ key: 'member' }), search, call({ key: 'member', start: DAY - HOUR_MS })],
        tags: [tagged('one'), tagged('one', { type: 'search', count: 6, documents: 0, bytes: 0 })],
      });
      const counted = { documents: 2, bytes: 100, tokens: 7 };
      expect(await quotas.used('member', 'member', DAY)).toEqual({ ...counted, searches: 5 });
      expect(await quotas.used('tag', 'one', DAY)).toEqual({ ...counted, searches: 6 });
      const none = { documents: 0, bytes: 0, searches: 0, tokens: 0 };
      expect(await quotas.used('key', 'nobody', DAY)).toEqual(none);
    });

    test('counts what is stored, and what came in a time and in the one before', async () => {
      await using world = await openWorld(open);
      await world.add('Before.', { tags: ['one'] });
      world.clock.pass(DAY_MS);
      await world.add('Now.', { tags: ['two'] });
      await world.add('Now as well.', { tags: ['two'] });
      const to = world.clock.now() + 1;
      const totals = await world.store.analytics.totals(everything, { from: to - DAY_MS, to });
      expect(totals).toMatchObject({
        ...{ documents: 3, tags: 2, connections: 0 },
        added: { documents: 2, tags: 1 },
        addedBefore: { documents: 1, tags: 1 },
      });
      const atTheMoment = await world.store.analytics.totals(everything, { from: to - 1, to });
      expect(atTheMoment).toMatchObject({ added: { documents: 2, tags: 1 }, addedBefore: { documents: 0 } });
      expect(startOfHour(DAY + HOUR_MS + 1)).toBe(DAY + HOUR_MS);
    });
  });
};
