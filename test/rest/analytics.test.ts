// Analytics over REST: what was asked is counted, and what was said is not kept.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { storedRows } from '../support/stored-rows.ts';
import { agentKey, scopedKey } from './support/keys.ts';
import { type Refusal, useOwnMemoir } from './support/use-memoir.ts';

const api = useOwnMemoir();

interface Counted {
  type: string;
  count: number;
  avgDuration?: number;
}

interface Usage extends Refusal {
  usage: Counted[];
  hourly: { hour: string; count: number }[];
  byKey: { keyId: string; keyName: string; count: number; documents: number; bytes: number }[];
  groups?: { name: string | null; count: number; documents: number; bytes: number }[];
  percentiles: { p50: number | null };
  totalMemories: number;
  pagination: { totalItems: number };
  completeUntil: string;
}

interface Entry {
  id: string;
  type: string;
  statusCode: number;
  input: Record<string, unknown>;
  output: Record<string, unknown>;
  keyId: string | null;
  operation: string | null;
}

const read = async <T>(path: string): Promise<T> => {
  const { status, body } = await api.ask<T>('GET', `/v3/analytics/${path}`);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
  return body;
};

const logs = (query: string) => read<{ logs: Entry[]; pagination: { totalItems: number } }>(query);

describe('analytics', () => {
  verifies(
    ['analytics:usage:hourly', 'analytics:usage:counts', 'analytics:usage:groups'],
    'count each call by kind, hour, key, tag and operation',
    async () => {
      const key = await agentKey(api, { name: 'counted' });
      const tag = api.newTag();
      await api.add({ content: 'Räder und Züge', containerTag: tag }, key);
      await api.ask('POST', '/v3/documents/batch', { documents: ['one', 'two'], containerTag: tag }, key);
      await api.ask('POST', '/v3/search', { q: 'wheels', containerTags: [tag] }, key);
      await api.ask('POST', '/v4/search', { q: 'wheels', containerTag: tag }, key);
      const usage = await read<Usage>('usage?limit=100&groupBy=tag');
      const of = (type: string) => usage.usage.find((each) => each.type === type)?.count;
      expect([of('add'), of('search'), of('search_v4'), of('update')]).toEqual([2, 1, 1, 0]);
      const mine = usage.byKey.find(({ keyId }) => keyId === key.id);
      expect(mine).toMatchObject({ keyName: 'counted', documents: 3, bytes: 16 + 3 + 3 });
      expect(usage.groups?.find(({ name }) => name === tag)).toMatchObject({
        count: 4,
        documents: 3,
        bytes: 22,
      });
      expect(usage.hourly).toHaveLength(25);
      expect(usage.hourly.at(-1)?.count).toBeGreaterThan(0);
      expect(usage.totalMemories).toBe(3);
      expect(usage.percentiles.p50).toEqual(expect.any(Number));
      expect(Date.parse(usage.completeUntil)).toBeGreaterThan(Date.now() - 60_000);
      const { groups = [] } = await read<Usage>('usage?groupBy=operation');
      expect(groups.find(({ name }) => name === 'documents.batchAdd')).toMatchObject({
        count: 1,
        documents: 2,
      });
      const paged = await read<Usage>('usage?limit=1&page=2');
      expect(paged.byKey).toHaveLength(1);
      expect(paged.pagination.totalItems).toBe(usage.byKey.length);
    },
  );

  verifies('analytics:errors:counts', 'count what failed, with and without a valid key', async () => {
    const tag = api.newTag();
    await api.ask('POST', '/v4/search', { containerTag: tag });
    await api.ask('GET', '/v3/documents/nobody');
    await api.ask('GET', '/v3/session', undefined, { key: 'sm_nobody_and_nothing_at_all' });
    const errors = await read<{
      totalErrors: number;
      errorRate: number;
      topErrors: { type: string; count: number; statusCodes: number[] }[];
      timeline: { count: number; types: string[] }[];
      byStatusCode: Record<string, number>;
    }>('errors?period=1h');
    expect(errors.byStatusCode).toMatchObject({ 400: 1, 401: 1, 404: 1 });
    expect(errors.totalErrors).toBe(3);
    expect(errors.errorRate).toBeGreaterThan(0);
    expect(errors.topErrors).toContainEqual({
      ...{ type: 'search_v4', count: 1, statusCodes: [400], lastOccurred: expect.any(String) },
    });
    expect(errors.timeline.reduce((sum, { count }) => sum + count, 0)).toBe(3);
  });

  verifies('analytics:logs:narrowed', 'list single calls, narrowed', async () => {
    const key = await agentKey(api, { name: 'logged' });
    const tag = api.newTag();
    await api.add({ content: 'A line.', containerTag: tag }, key);
    const failed = await api.ask('GET', '/v3/documents/nobody', undefined, key);
    const mine = await logs(`logs?keyId=${key.id}&limit=100`);
    expect(mine.logs.find(({ type }) => type === 'add')).toMatchObject({
      ...{ statusCode: 200, operation: 'documents.add', keyId: key.id },
      input: { content: { chars: 7 }, tags: [tag] },
      output: { id: expect.any(String), status: 'queued' },
    });
    expect((await logs(`logs?keyId=${key.id}&type=add`)).pagination.totalItems).toBe(1);
    expect((await logs(`logs?keyId=${key.id}&statusCode=404`)).logs).toHaveLength(1);
    const id = failed.headers.get('x-request-id');
    expect((await logs(`requests?id=${id}`)).logs).toMatchObject([{ id, statusCode: 404 }]);
    const bad = await logs('requests?status=error&limit=100');
    expect(bad.logs.every(({ statusCode }) => statusCode >= 400)).toBe(true);
    expect((await api.ask('GET', '/v3/analytics/logs?limit=101')).status).toBe(400);
  });

  verifies('analytics:logs:no-content', 'keep none of the words that anybody sent', async () => {
    const words = Array.from({ length: 200 }, (_, at) => `quokka${at}berry`);
    const said = (at: number): string => `The ${words[at]} is ${words[at + 1]}.`;
    const tag = api.newTag();
    for (let at = 0; at < 120; at += 8) {
      const { id } = await api.add({
        ...{ content: said(at), title: words[at + 2], containerTag: tag, customId: words[at + 3] },
        ...{ metadata: { [words[at + 4] ?? '']: words[at + 5] }, entityContext: words[at + 6] },
      });
      await api.ask('POST', '/v4/search', { q: words[at], containerTag: tag });
      await api.ask('POST', '/v3/search', { q: said(at), containerTags: [tag] });
      await api.ask('PATCH', `/v3/documents/${id}`, { title: words[at + 7] });
    }
    for (let at = 120; at < 199; at += 2)
      await api.ask('POST', '/v4/memories', { containerTag: tag, memories: [{ content: said(at) }] });
    await api.ask('POST', '/v4/memories/forget-matching', {
      containerTag: tag,
      query: words[0],
      dryRun: true,
    });
    await api.ask('POST', '/v4/profile', { containerTag: tag, q: words[1] });
    await api.ask('GET', `/v3/documents/${words[2]}`);
    await api.ask('POST', '/v4/search', {
      q: words[3],
      containerTag: `${words[4]} ${words[5]}`,
      limit: words[6],
    });
    expect((await logs('logs')).pagination.totalItems).toBeGreaterThan(100);
    const stored = JSON.stringify([
      await storedRows(api.memoir, 'select * from requests'),
      await storedRows(api.memoir, 'select * from usage_calls'),
      await storedRows(api.memoir, 'select * from audit'),
    ]);
    expect(words.filter((word) => stored.includes(word))).toEqual([]);
  });

  verifies('analytics:memory:totals', 'count what is stored', async () => {
    const memory = await read<Record<string, number>>('memory?period=7d');
    expect(memory).toMatchObject({
      ...{
        totalConnections: 0,
        connectionsGrowth: 0,
        memoriesGrowth: 0,
        tokensProcessed: 0,
        tokensGrowth: 0,
      },
      ...{ searchGrowth: 0, memoryEntriesGrowth: 0, containerTagsGrowth: 0 },
    });
    for (const name of ['totalMemories', 'totalMemoryEntries', 'searchQueries', 'totalContainerTags'])
      expect([name, Number(memory[name]) > 0]).toEqual([name, true]);
  });

  verifies('analytics:read:full-key', 'are for full keys alone', async () => {
    const scoped = await scopedKey(api, { containerTag: api.newTag() });
    for (const path of ['usage', 'errors', 'logs', 'requests', 'memory'])
      expect((await api.ask('GET', `/v3/analytics/${path}`, undefined, scoped)).status).toBe(403);
  });
});
