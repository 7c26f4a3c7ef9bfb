// Every kind of failure over REST, against the whole service: its status, and one shape for all.
import { describe, expect, vi } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import type { Answer } from '../support/memoir.ts';
import { agentKey, scopedKey } from './support/keys.ts';
import { useEmbeddings } from './support/use-embeddings.ts';
import { pathOf, type Refusal, useOwnMemoir } from './support/use-memoir.ts';

const embeddings = useEmbeddings();
const api = useOwnMemoir(embeddings.env);

const CAUSE = 'the disk says: secret cause';

type Failing = () => Promise<Answer<Refusal>>;

const ask = (method: string, path: string, body?: unknown, key?: string): Promise<Answer<Refusal>> =>
  api.ask(method, path, body, key === undefined ? {} : { key });

const taken = async (): Promise<Answer<Refusal>> => {
  const containerTag = api.newTag();
  const [one, two] = [`one of ${containerTag}`, `two of ${containerTag}`];
  for (const customId of [one, two])
    await api.post({ content: `This is ${customId}.`, customId, containerTag });
  return ask('PATCH', pathOf(one), { customId: two });
};

const exhausted = async (): Promise<Answer<Refusal>> => {
  const { key } = await agentKey(api, { rateLimitMax: 1 });
  await ask('GET', '/v3/session', undefined, key);
  return ask('GET', '/v3/session', undefined, key);
};

const broken = async (): Promise<Answer<Refusal>> => {
  const spy = vi.spyOn(api.memoir.memoir.service.documents, 'get').mockRejectedValueOnce(new Error(CAUSE));
  const answer = await ask('GET', pathOf('anything'));
  spy.mockRestore();
  return answer;
};

const failures: readonly [number, Failing][] = [
  [400, () => ask('POST', '/v3/documents', {})],
  [400, () => ask('POST', '/v4/search', '{"q":')],
  [400, () => ask('POST', '/v3/documents', [])],
  [401, () => ask('GET', '/v3/session', undefined, 'sm_wrong')],
  [
    403,
    async () =>
      ask(
        'POST',
        '/v4/search',
        { q: 'x', containerTag: 'b' },
        (await scopedKey(api, { containerTag: 'a' })).key,
      ),
  ],
  [404, () => ask('GET', pathOf('nobody'))],
  [404, () => ask('GET', '/v3/nowhere')],
  [405, () => ask('PUT', '/v3/documents/bulk')],
  [409, taken],
  [413, () => ask('POST', '/v3/documents', JSON.stringify({ content: 'x'.repeat(50 * 1024 * 1024) }))],
  [429, exhausted],
  [500, broken],
];

describe('a failure', () => {
  verifies(
    ['errors:body:shape', 'errors:body:no-message', 'errors:request-id:header', 'errors:402:never'],
    'a failure of any kind is { error, details? } as JSON, with the id of its request beside it',
    async () => {
      for (const [status, fail] of failures) {
        const answer = await fail();
        expect([answer.status, answer.headers.get('content-type')]).toEqual([
          status,
          'application/json; charset=utf-8',
        ]);
        const { error, details, ...more } = answer.body;
        expect(more, error).toEqual({});
        expect(error.length).toBeGreaterThan(10);
        expect(['string', 'undefined']).toContain(typeof details);
        expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      }
    },
  );

  verifies('errors:402:never', 'a failure is never described as a matter of payment', async () => {
    const { body } = await api.ask<{ paths: Record<string, Record<string, { responses: object }>> }>(
      'GET',
      '/v3/openapi',
    );
    const statuses = Object.values(body.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.keys(responses));
    expect(statuses).toContain('429');
    expect(statuses).not.toContain('402');
  });

  verifies(
    'errors:400:bad-request',
    'a failure of the input is 400 and says which field and why',
    async () => {
      const cases: [string, string, unknown, string][] = [
        ['POST', '/v3/documents', {}, 'Invalid request: content: is required'],
        ['POST', '/v3/documents/batch', { documents: [] }, 'documents'],
        ['PATCH', pathOf('x'), { metadata: { a: { b: 1 } } }, 'metadata.a: must be text'],
        ['DELETE', '/v3/documents/bulk', {}, 'give exactly one of ids, containerTags or filepath'],
        ['POST', '/v3/documents/list', { limit: 0 }, 'limit: must be a whole number from 1 to 1100'],
        ['GET', '/v3/documents?order=sideways', undefined, 'order'],
        ['POST', '/v3/search', {}, 'q: is required'],
        ['POST', '/v4/search', { q: 'x', threshold: 2 }, 'threshold'],
        ['POST', '/v3/auth/scoped-key', {}, 'containerTag: is required: give the container tag'],
        ['POST', '/v3/auth/agent-key', { permission: 'all' }, 'name: is required'],
      ];
      for (const [method, path, body, why] of cases) {
        const answer = await ask(method, path, body);
        expect([path, answer.status]).toEqual([path, 400]);
        expect(answer.body.error).toContain(why);
      }
    },
  );

  verifies(
    ['errors:500:internal', 'errors:500:hides-cause'],
    'a failure of ours is 500 and hides its cause',
    async () => {
      const { status, headers, body } = await broken();
      expect([status, body]).toEqual([
        500,
        {
          error: 'An internal error occurred. Look for the request id in the server log to find the cause.',
          details: `Request id: ${headers.get('x-request-id')}`,
        },
      ]);
      expect(JSON.stringify([...headers])).not.toContain('secret cause');
      expect((await ask('GET', '/v3/session')).status, 'and the service goes on').toBe(200);
    },
  );
});

verifies('errors:failed-document:retried', 'a failed document is retried by sending it again', async () => {
  const sent = { content: 'It needs two attempts.', customId: 'two attempts', containerTag: api.newTag() };
  embeddings.refuseNext(sent.content);
  const first = await api.add(sent);
  expect(first).toMatchObject({ status: 'failed', failure: { message: expect.any(String) } });
  expect((await api.post(sent)).body).toEqual({ id: first.id, status: 'queued' });
  expect(await api.settled(first.id)).toMatchObject({ id: first.id, status: 'done', failure: null });
  expect(await api.found('attempts', sent.containerTag)).toEqual([sent.content]);
});
