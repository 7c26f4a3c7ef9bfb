// Rate limits of keys, over REST against the whole service.
import { expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { untilPast } from '../support/until.ts';
import { agentKey, scopedKey } from './support/keys.ts';
import { type Refusal, useOwnMemoir } from './support/use-memoir.ts';

const api = useOwnMemoir();

verifies(
  ['errors:429:rate-limit', 'rate:exceeded:429', 'rate:exceeded:retry-after', 'rate:exceeded:then-success'],
  'a key that asks too often is told for how long to wait, and then succeeds',
  async () => {
    const { key } = await scopedKey(api, {
      containerTag: 'a',
      rateLimitMax: 3,
      rateLimitTimeWindow: 1_000,
    });
    const add = () => api.ask<Refusal>('POST', '/v3/documents', { content: 'Once more.' }, { key });
    const answers = await Promise.all([add(), add(), add(), add()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429]);
    const refused = answers.find(({ status }) => status === 429) ?? (await add());
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('x-should-retry')).toBeNull();
    expect(refused.body).toEqual({
      error: 'This key may make 3 requests per second. Try again in 1 second.',
    });
    await untilPast(Date.now() + Number(refused.headers.get('retry-after-ms')));
    expect((await add()).status).toBe(200);
    expect((await api.list({ limit: 100 }, { key })).memories, 'the refused one was not stored').toHaveLength(
      4,
    );
  },
);

verifies(
  ['rate:exceeded:429', 'errors:retry:not-advised'],
  'a wait of more than a minute comes with the advice not to retry',
  async () => {
    const { key } = await agentKey(api, { rateLimitMax: 1, rateLimitTimeWindow: 3_600_000 });
    await api.list({}, { key });
    const { status, headers } = await api.ask('GET', '/v3/session', undefined, { key });
    expect([status, headers.get('x-should-retry')]).toEqual([429, 'false']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(60);
  },
);

verifies('rate:per-key:own', 'an exhausted key slows no other, and a full key asks without end', async () => {
  const slow = await scopedKey(api, { containerTag: 'a', rateLimitMax: 1 });
  const other = await scopedKey(api, { containerTag: 'a', rateLimitMax: 1 });
  const status = async (key: string) => (await api.ask('GET', '/v3/session', undefined, { key })).status;
  expect([await status(slow.key), await status(slow.key), await status(other.key)]).toEqual([200, 429, 200]);
  const calls = Array.from({ length: 600 }, () => status(api.memoir.key));
  expect(new Set(await Promise.all(calls))).toEqual(new Set([200]));
});
