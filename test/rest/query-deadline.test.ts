// The deadline of queries: a filter that would take long is ended, and the others do not wait for it.
import { beforeAll, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { isOnPostgres } from '../support/on-postgres.ts';
import { until } from '../support/until.ts';
import { type Refusal, useOwnMemoir } from './support/use-memoir.ts';

const api = useOwnMemoir(() => ({ MEMOIR_QUERY_DEADLINE_MS: '50' }));

/** The calls take about ten times the deadline, so that a fast machine does not finish them. */
const DOCUMENTS = 600;
const CONDITIONS = 20;
const NEEDLE = 256;
const FILLER = 'b'.repeat(NEEDLE - 2);

const containerTag = 'costly';

beforeAll(async () => {
  const documents = Array.from({ length: DOCUMENTS }, (_, number) => ({
    content: `Short note ${number}.`,
    metadata: { long: 'b'.repeat(4095), number },
    taskType: 'superrag',
  }));
  const added = await api.ask('POST', '/v3/documents/batch', { containerTag, documents });
  expect(added.status).toBe(200);
  await api.memoir.idle();
});

/** Each comparison reads nearly all of it before it fails: SQLite from its beginning, PostgreSQL from its end. */
const needle = (digit: number): string => (isOnPostgres ? `c${digit}${FILLER}` : `${FILLER}c${digit}`);

const costly = {
  OR: Array.from({ length: CONDITIONS }, (_, at) => ({
    key: 'long',
    value: needle(at % 10),
    filterType: 'string_contains',
    ignoreCase: at < CONDITIONS / 2,
  })),
};

const cheap = { AND: [{ key: 'number', value: '7', filterType: 'numeric' }] };

verifies(
  'queries:deadline:503',
  'a call whose filter takes too long is ended with 503, others are answered meanwhile, and the next query works',
  async () => {
    const order: string[] = [];
    const places = [
      api.ask<Refusal>('POST', '/v3/documents/list', { containerTags: [containerTag], filters: costly }),
      api.ask<Refusal>('POST', '/v3/search', { q: 'note', containerTag, filters: costly }),
      api.ask<Refusal>('POST', '/v4/search', { q: 'note', containerTag, filters: costly }),
    ];
    const ended = places.map(async (asked) => {
      const { status, headers, body } = await asked;
      order.push('costly');
      expect(status).toBe(503);
      expect(headers.get('retry-after')).toBe('5');
      expect(headers.get('x-should-retry')).toBe('true');
      // A busy machine may give it too little processor time until four times as much has passed.
      expect(body.error).toMatch(/^The query was ended after (50|200) ms, because/);
      expect(body.error).toMatch(/narrow it with a container tag or with fewer conditions/i);
    });
    expect((await api.ask('GET', '/v3/session')).status).toBe(200);
    order.push('session');
    await Promise.all(ended);
    expect(order[0]).toBe('session');
    await until('a cheap filter to be answered', async () => {
      const asked = { containerTags: [containerTag], filters: cheap };
      const { status, body } = await api.ask<{ memories: unknown[] }>('POST', '/v3/documents/list', asked);
      return status === 200 && body.memories.length === 1;
    });
  },
);
