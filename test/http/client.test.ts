// Tests of the published client against the server's errors.
import Supermemory from 'supermemory';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { type Api, startApi } from '../support/api.ts';
import { notes } from '../support/notes.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ operations: notes });
});
afterAll(() => api.close(0));

const client = (apiKey: string) => new Supermemory({ baseURL: api.url, apiKey, maxRetries: 0 });

verifies(
  'client:errors:classes',
  'errors reach the caller of the published client as the class of their status',
  async () => {
    const bound = await api.access.createScopedKey({ tags: ['a'], rateLimitMax: 1 });
    const good = client(api.key);
    const fail = (how: string) => () => good.post('/v3/notes/fail', { body: { how } });
    await expect(good.post('/v3/notes', { body: {} })).rejects.toThrow(Supermemory.BadRequestError);
    await expect(client('sm_wrong').get('/v3/notes/1')).rejects.toThrow(Supermemory.AuthenticationError);
    const foreign = client(bound.key).post('/v3/notes', { body: { text: 'x', tags: ['b'] } });
    await expect(foreign).rejects.toThrow(Supermemory.PermissionDeniedError);
    await expect(good.get('/v3/nothing')).rejects.toThrow(Supermemory.NotFoundError);
    await expect(fail('conflict')()).rejects.toThrow(Supermemory.ConflictError);
    await expect(client(bound.key).get('/v3/notes/1')).rejects.toThrow(Supermemory.RateLimitError);
    await expect(fail('bug')()).rejects.toThrow(Supermemory.InternalServerError);
  },
);

test('the published client waits as long as a 429 says, and then succeeds', async () => {
  const { key } = await api.access.createScopedKey({
    tags: ['a'],
    rateLimitMax: 1,
    rateLimitTimeWindow: 200,
  });
  const patient = new Supermemory({ baseURL: api.url, apiKey: key, maxRetries: 1 });
  await patient.get('/v3/notes/1');
  await expect(patient.get('/v3/notes/2')).resolves.toMatchObject({ id: '2' });
});

test('the published client does not retry when the server advises against it', async () => {
  const eager = new Supermemory({ baseURL: api.url, apiKey: api.key, maxRetries: 2 });
  const attempts = () => api.logged().split('"operation":"notes.fail"').length - 1;
  const before = attempts();
  const refused = eager.post('/v3/notes/fail', { body: { how: 'conflict' } });
  await expect(refused).rejects.toThrow('It was forgotten already');
  expect(attempts() - before).toBe(1);
});
