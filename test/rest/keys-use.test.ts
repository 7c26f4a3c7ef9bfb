// Asking with a key over REST: every operation wants one, and a key does no more than it may.

import { describe, expect, test } from 'vitest';
import type { Operation } from '../../tools/operation.ts';
import { operations } from '../../tools/registry.generated.ts';
import { verifies } from '../spec/verifies.ts';
import { isManaging } from '../support/managing.ts';
import { untilPast } from '../support/until.ts';
import { agentKey, expireAt, listedKeys, scopedKey, statusWith } from './support/keys.ts';
import { addMember } from './support/team.ts';
import { fileOf, postForm } from './support/upload.ts';
import { type Refusal, useOwnMemoir } from './support/use-memoir.ts';

const api = useOwnMemoir(() => ({ MEMOIR_TRUSTED_PROXIES: 'loopback' }));

const DAY_MS = 86_400_000;

const callOf = ({ rest }: Operation): [string, string, unknown] => [
  rest.method,
  rest.path.replace(/\{\w+\}/g, 'none'),
  rest.method === 'GET' ? undefined : {},
];

/** Wrong keys are counted by address, so each test has one of its own. */
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

describe('without a good key', () => {
  verifies(
    ['auth:header:every-request', 'auth:key:missing', 'errors:401:authentication'],
    'every operation answers 401, whatever is sent',
    async () => {
      for (const operation of operations) {
        const [method, path, body] = callOf(operation);
        const answer = await api.memoir.ask<Refusal>(method, path, body, { key: null });
        expect([operation.name, answer.status]).toEqual([operation.name, 401]);
        expect(answer.body.error).toContain('An API key is needed.');
        expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      }
    },
  );

  verifies(
    ['auth:key:invalid', 'errors:401:authentication'],
    'every operation answers 401 to a wrong one',
    async () => {
      for (const [at, operation] of operations.entries()) {
        const [method, path, body] = callOf(operation);
        const wrong = { key: `${api.memoir.key}x`, ...from(`198.51.100.${at}`) };
        const answer = await api.memoir.ask<Refusal>(method, path, body, wrong);
        expect([operation.name, answer.status]).toEqual([operation.name, 401]);
        expect(answer.body.error).toContain('This API key is not valid here.');
      }
    },
  );

  verifies('auth:order:key-first', 'a body that is no JSON changes nothing about that', async () => {
    const answer = await api.memoir.ask('POST', '/v3/documents', '{"content":', { key: null });
    expect(answer.status).toBe(401);
  });

  test('a key of another installation is refused as well', async () => {
    const alien = `sm_1ChDvHAMGsTYotPNsRQ1Zw_${'a'.repeat(32)}`;
    const answer = await api.memoir.ask('GET', '/v3/session', undefined, {
      key: alien,
      ...from('203.0.113.2'),
    });
    expect(answer.status).toBe(401);
  });
});

describe('the header', () => {
  verifies('auth:header:bearer', 'Authorization: Bearer lets every operation in', async () => {
    for (const operation of operations.filter(({ permission }) => permission === 'read')) {
      const [method, path, body] = callOf(operation);
      const answer = await api.memoir.ask(method, path, body);
      expect([operation.name, answer.status], 'the key at least is good').not.toEqual([operation.name, 401]);
    }
  });

  verifies('auth:header:x-api-key', 'x-api-key adds, finds and deletes as well', async () => {
    const headers = { 'x-api-key': api.memoir.key };
    const containerTag = api.newTag();
    const added = await api.memoir.ask<{ id: string }>(
      'POST',
      '/v3/documents',
      { content: 'By the other header.', containerTag },
      { key: null, headers },
    );
    expect(added.status).toBe(200);
    await api.settled(added.body.id);
    const search = { q: 'the other header', containerTag };
    const found = await api.memoir.ask<{ total: number }>('POST', '/v4/search', search, {
      key: null,
      headers,
    });
    expect(found.body.total).toBe(1);
    const path = `/v3/documents/${added.body.id}`;
    expect((await api.memoir.ask('DELETE', path, undefined, { key: null, headers })).status).toBe(204);
  });
});

test('the key of a removed member is refused with what happened, and cannot be brought back', async () => {
  const gone = await addMember(api, { email: 'gone@example.org' });
  await api.ask('DELETE', `/v3/auth/team/members/${gone.id}`);
  const refusal = async () => {
    const { status, body } = await api.ask<Refusal>('GET', '/v3/session', undefined, { key: gone.key });
    return `${status} ${body.error}`;
  };
  const removed = /^401 This API key ended with its member, who was removed\. Use a key of another member/;
  expect(await refusal()).toMatch(removed);
  const [ended] = (await listedKeys(api)).filter(({ enabled }) => enabled === false);
  const path = `/v3/auth/keys/${ended?.id}`;
  expect((await api.ask('PUT', `${path}/toggle`)).body).toMatchObject({
    note: expect.stringContaining('its member was removed'),
  });
  expect(await refusal()).toMatch(removed);
  const rotated = await api.ask<Refusal>('POST', `${path}/rotate`, {});
  expect([rotated.status, rotated.body.error]).toEqual([409, expect.stringContaining('its member')]);
});

describe('a key at the end of its days', () => {
  verifies(
    'auth:key:expired',
    'a key at the end of its days gets 401 that says when it expired',
    async () => {
      const { id, key } = await scopedKey(api, { containerTag: 'a', expiresInDays: 1 });
      const at = Date.now() - DAY_MS;
      await expireAt(api.memoir, id, at);
      const answer = await api.ask<Refusal>('GET', '/v3/session', undefined, { key });
      expect(answer.status).toBe(401);
      expect(answer.body.error).toContain(`expired at ${new Date(at).toISOString()}. Create a new one.`);
    },
  );

  verifies(
    'auth:key:expired',
    'a key at the end of its days is refused from that moment on, though it was in use',
    async () => {
      const { id, key } = await scopedKey(api, { containerTag: 'a', expiresInDays: 1 });
      const at = Date.now() + 2_000;
      await expireAt(api.memoir, id, at);
      expect(await statusWith(api, key)).toBe(200);
      await untilPast(at);
      expect(await statusWith(api, key)).toBe(401);
    },
  );
});

describe('a key that may not do what it asks', () => {
  verifies(
    ['auth:key:insufficient', 'keys:agent:read-only', 'errors:403:permission'],
    'a key that may not do what it asks writes nothing when it may only read',
    async () => {
      const containerTag = api.newTag();
      const { id } = await api.add({ content: 'It stays.', customId: 'stays', containerTag });
      const reader = await agentKey(api, { permission: 'read', containerTags: [containerTag] });
      const writes = operations.filter(
        (one) => one.permission === 'write' && !isManaging(one) && one.name !== 'documents.uploadFile',
      );
      const valid: Record<string, object> = {
        'documents.add': { content: 'New.' },
        'documents.batchAdd': { documents: ['New.'] },
        'documents.update': { content: 'Changed.' },
        'documents.deleteBulk': { ids: [id] },
        'conversations.add': { conversationId: 'c', messages: [{ role: 'user', content: 'New.' }] },
        'memories.add': { containerTag: 'a', memories: [{ content: 'New.' }] },
        'memories.updateMemory': { containerTag: 'a', content: 'Old.', newContent: 'New.' },
        'memories.forget': { containerTag: 'a', content: 'Old.' },
        'memories.forgetMatching': { containerTag: 'a', query: 'anything' },
        'memories.review': { action: 'approve' },
        'containerTags.update': { name: 'New.' },
      };
      for (const { name, rest } of writes) {
        const path = rest.path.replace(/\{containerTag\}/, 'a').replace(/\{\w+\}/, id);
        const answer = await api.ask<Refusal>(rest.method, path, valid[name] ?? {}, reader);
        expect([name, answer.status]).toEqual([name, 403]);
        expect(answer.body.error).toBe('This key may only read. Use a key with write permission.');
      }
      const form = [['file', fileOf('New.'), 'new.txt']] as const;
      expect((await postForm(api.memoir, form, reader)).status).toBe(403);
      expect(await api.read(id, reader)).toMatchObject({ content: 'It stays.', status: 'done' });
      expect((await api.list({}, reader)).memories).toHaveLength(1);
    },
  );

  verifies(
    ['auth:key:insufficient', 'keys:scoped:cannot-mint', 'errors:403:permission'],
    'a key that may not do what it asks manages nothing of the organisation when it is bound to tags',
    async () => {
      const { id, key } = await scopedKey(api, { containerTag: 'a' });
      const valid: Record<string, object> = {
        'keys.createAgent': { name: 'more', permission: 'write', containerTags: ['a'] },
        'keys.createScoped': { containerTag: 'a' },
        'settings.reset': { confirmation: 'everything' },
        'containerTags.merge': { containerTags: ['a', 'b'], targetContainerTag: 'b' },
        'connections.configure': { resources: [] },
        'connections.getByTag': { containerTags: ['a'] },
      };
      for (const { name, rest } of operations.filter(isManaging)) {
        const body = rest.method === 'GET' ? undefined : (valid[name] ?? {});
        const query = name === 'grants.createPluginKey' ? '?client=cursor' : '';
        const answer = await api.ask<Refusal>(
          rest.method,
          rest.path
            .replace(/\{containerTag\}/, 'a')
            .replace(/\{(provider|connection)\}/, 'notion')
            .replace(/\{\w+\}/, id) + query,
          body,
          { key },
        );
        expect([name, answer.status]).toEqual([name, 403]);
        expect(answer.body.error).toContain('Use a key with full access.');
      }
      expect(await statusWith(api, key), 'it did not turn itself off').toBe(200);
    },
  );
});
