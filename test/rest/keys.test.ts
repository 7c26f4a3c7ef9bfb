// Making keys over REST, listing them, turning them off and on; and that they last.
import { describe, expect, test } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { agentKey, listedKeys, scopedKey, statusWith } from './support/keys.ts';
import { type Refusal, useMemoir } from './support/use-memoir.ts';

const api = useMemoir();

const refusal = async (path: string, body: object): Promise<string> => {
  const answer = await api.ask<Refusal>('POST', path, body);
  expect(answer.status, JSON.stringify(body)).toBe(400);
  return answer.body.error;
};

describe('a scoped key', () => {
  verifies(
    ['keys:scoped:create', 'keys:scoped:response', 'keys:scoped:defaults', 'keys:form:prefix'],
    'a scoped key is made for one container tag and answered with all that one needs to know',
    async () => {
      expect(await scopedKey(api, { containerTag: 'a/b c@d' })).toEqual({
        id: expect.stringMatching(/^\w{22}$/),
        key: expect.stringMatching(new RegExp(`^sm_${api.memoir.memoir.orgId}_\\w{32}$`)),
        name: 'scoped_a/b c@d',
        permission: 'write',
        containerTag: 'a/b c@d',
        containerTags: ['a/b c@d'],
        expiresAt: null,
        allowedEndpoints: [
          '/v3/documents',
          '/v3/memories',
          '/v4/memories',
          '/v3/search',
          '/v4/search',
          '/v4/profile',
        ],
      });
    },
  );

  verifies(
    ['keys:scoped:defaults', 'keys:scoped:response'],
    'a scoped key may make 500 requests a minute and never expires unless told otherwise',
    async () => {
      const plain = await scopedKey(api, { containerTag: 'plain' });
      const told = await scopedKey(api, {
        containerTag: 'told',
        name: 'Ours',
        expiresInDays: 30,
        rateLimitMax: 7,
        rateLimitTimeWindow: 1_000,
      });
      const keys = await listedKeys(api);
      const item = (id: string) => keys.find((key) => key.id === id);
      expect(item(plain.id)).toMatchObject({
        expiresAt: null,
        rateLimitMax: 500,
        rateLimitTimeWindow: 60_000,
      });
      expect(item(told.id)).toMatchObject({ name: 'Ours', rateLimitMax: 7, rateLimitTimeWindow: 1_000 });
      const days = (Date.parse(told.expiresAt ?? '') - Date.now()) / 86_400_000;
      expect(days).toBeCloseTo(30, 2);
    },
  );

  verifies(
    'keys:scoped:limits',
    'a scoped key takes numbers within their limits, and no others',
    async () => {
      const limits = { expiresInDays: 365, rateLimitMax: 10_000, rateLimitTimeWindow: 3_600_000 };
      await scopedKey(api, { containerTag: 'x', ...limits });
      await scopedKey(api, { containerTag: 'x', expiresInDays: 1, rateLimitMax: 1, rateLimitTimeWindow: 1 });
      for (const [field, limit] of Object.entries(limits))
        for (const wrong of [0, limit + 1, 1.5, -1, 'many'])
          expect(await refusal('/v3/auth/scoped-key', { containerTag: 'x', [field]: wrong })).toBe(
            `Invalid request: ${field}: must be a whole number from 1 to ${limit}`,
          );
    },
  );

  verifies('keys:scoped:create', 'a scoped key is made for no fewer than one tag', async () => {
    for (const none of [{}, { containerTags: [] }])
      expect(await refusal('/v3/auth/scoped-key', none)).toContain(
        'containerTag: is required: give the container tag',
      );
  });

  verifies(
    'keys:scoped:bound',
    'a scoped key may be bound to several tags, which it keeps in order',
    async () => {
      const tags = ['日本語', 'a/b c@d', 'plain'];
      const { key } = await scopedKey(api, { containerTags: tags, name: 'several' });
      for (const tag of tags)
        expect((await api.add({ content: `In ${tag}.`, containerTag: tag }, { key })).status).toBe('done');
      const { memories } = await api.list({}, { key });
      expect(memories.map(({ containerTags }) => containerTags).sort()).toEqual(
        tags.map((tag) => [tag]).sort(),
      );
      const foreign = await api.post({ content: 'Elsewhere.', containerTag: 'other' }, { key });
      expect([foreign.status, foreign.body.error]).toEqual([
        403,
        'This key may not use the container tag "other". It may use: "日本語", "a/b c@d", "plain".',
      ]);
    },
  );
});

describe('an agent key', () => {
  verifies(
    'keys:agent:create',
    'an agent key is made for several tags, or for all when none is named',
    async () => {
      const bound = await agentKey(api, {
        containerTags: ['one', 'two'],
        pluginId: 'codex',
        expiresInDays: 2,
      });
      expect(bound).toEqual({
        id: expect.any(String),
        key: expect.stringMatching(/^sm_/),
        name: 'agent',
        permission: 'write',
        containerTags: ['one', 'two'],
        pluginId: 'codex',
        expiresAt: expect.any(String),
      });
      const open = await agentKey(api);
      expect(open).not.toHaveProperty('containerTags');
      await api.add({ content: 'Anywhere.', containerTag: 'anywhere' }, open);
      expect((await api.post({ content: 'x', containerTag: 'anywhere' }, bound)).status).toBe(403);
    },
  );

  verifies(
    'keys:agent:empty-list',
    'an agent key is not made for everything by an empty list of tags',
    async () => {
      const before = (await listedKeys(api)).length;
      const body = { name: 'x', permission: 'write', containerTags: [] };
      expect(await refusal('/v3/auth/agent-key', body)).toContain('containerTags');
      expect(await listedKeys(api)).toHaveLength(before);
    },
  );

  verifies('keys:agent:expiry', 'an agent key may live for years, unlike a scoped one', async () => {
    const { expiresAt } = await agentKey(api, { expiresInDays: 3_650 });
    expect(Date.parse(expiresAt ?? '')).toBeGreaterThan(Date.now() + 3_649 * 86_400_000);
    for (const wrong of [0, 3_651, 0.5])
      expect(
        await refusal('/v3/auth/agent-key', { name: 'x', permission: 'read', expiresInDays: wrong }),
      ).toBe('Invalid request: expiresInDays: must be a whole number from 1 to 3650');
  });
});

describe('the list of keys', () => {
  verifies('keys:list:items', 'the list of keys tells what each may do', async () => {
    const { id, key } = await agentKey(api, {
      permission: 'read',
      containerTags: ['a', 'b'],
      pluginId: 'cursor',
    });
    await statusWith(api, key);
    const item = (await listedKeys(api)).find((one) => one.id === id);
    expect(item).toEqual({
      kind: 'service',
      id,
      name: 'agent',
      start: key.slice(0, key.lastIndexOf('_') + 7),
      permission: 'read',
      containerTags: ['a', 'b'],
      isScoped: true,
      enabled: true,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      expiresAt: null,
      lastUsedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      notifiedAt: null,
      rateLimitMax: 500,
      rateLimitTimeWindow: 60_000,
      usage: { inputTokens: 0, outputTokens: 0 },
      smType: 'plugin_auth',
      madeBy: expect.stringMatching(/^\w{22}$/),
      smClient: 'cursor',
      metadata: expect.stringContaining(api.memoir.memoir.orgId),
    });
  });
});

describe('turning a key off', () => {
  verifies(
    ['auth:key:disabled', 'keys:scoped:disable'],
    'turning a key off by DELETE takes effect at once, and its documents and tags stay',
    async () => {
      const containerTag = api.newTag();
      const { id, key } = await scopedKey(api, { containerTag });
      const document = await api.add({ content: 'It outlives the key.' }, { key });
      const answer = await api.ask('DELETE', `/v3/auth/scoped-key/${id}`);
      expect([answer.status, answer.body]).toEqual([200, { success: true, id }]);
      const refused = await api.ask<Refusal>('GET', '/v3/session', undefined, { key });
      expect([refused.status, refused.body.error]).toEqual([401, expect.stringContaining('is disabled')]);
      expect(await api.read(document.id)).toMatchObject({ status: 'done', containerTags: [containerTag] });
      expect(await api.found('outlives', containerTag)).toEqual(['It outlives the key.']);
    },
  );

  verifies(
    'keys:toggle:switches',
    'turning a key off and on again by PUT works at once, both ways',
    async () => {
      const { id, key } = await agentKey(api);
      for (const [enabled, status] of [
        [false, 401],
        [true, 200],
        [false, 401],
      ] as const) {
        const { body } = await api.ask('PUT', `/v3/auth/keys/${id}/toggle`);
        expect([body, await statusWith(api, key)]).toEqual([{ id, enabled }, status]);
        expect((await listedKeys(api)).find((one) => one.id === id)?.enabled).toBe(enabled);
      }
    },
  );

  test('turning a key off that does not exist is 404', async () => {
    expect((await api.ask('DELETE', '/v3/auth/scoped-key/none')).status).toBe(404);
    expect((await api.ask('PUT', '/v3/auth/keys/none/toggle')).status).toBe(404);
  });
});
