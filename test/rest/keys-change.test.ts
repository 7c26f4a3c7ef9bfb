// Changing and rotating keys over REST: what holds at once, and what a key can never give itself.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { agentKey, listedKeys, scopedKey, statusWith } from './support/keys.ts';
import { type Refusal, useMemoir } from './support/use-memoir.ts';

const api = useMemoir();
const DAY_MS = 86_400_000;

interface Changed extends Refusal {
  id: string;
  name: string;
  permission: string;
  containerTags: string[] | null;
  expiresAt: string | null;
  rateLimitMax: number | null;
  rateLimitTimeWindow: number | null;
  note?: string;
}

interface Rotated extends Refusal {
  id: string;
  key: string;
  replaces: string;
  expiresAt: string | null;
  formerEndsAt: string;
}

const change = (id: string, body: object, as: { key?: string } = {}) =>
  api.ask<Changed>('PATCH', `/v3/auth/keys/${id}`, body, as);
const rotate = (id: string, body: object = {}, as: { key?: string } = {}) =>
  api.ask<Rotated>('POST', `/v3/auth/keys/${id}/rotate`, body, as);
const daysUntil = (time: string | null): number => (Date.parse(time ?? '') - Date.now()) / DAY_MS;

describe('a change', () => {
  verifies('keys:update:fields', 'holds at once, and leaves what it does not name', async () => {
    const tag = api.newTag();
    const { id, key } = await agentKey(api, { name: 'before' });
    expect((await api.post({ content: 'Elsewhere.', containerTag: api.newTag() }, { key })).status).toBe(200);
    const { status, body } = await change(id, { name: 'after', containerTags: [tag], expiresInDays: 3 });
    expect([status, body]).toMatchObject([
      200,
      { id, name: 'after', permission: 'write', containerTags: [tag] },
    ]);
    expect(body.rateLimitMax).toBe(500);
    expect(daysUntil(body.expiresAt)).toBeCloseTo(3, 2);
    expect((await api.post({ content: 'Here.', containerTag: tag }, { key })).status).toBe(200);
    expect((await api.post({ content: 'There.', containerTag: api.newTag() }, { key })).status).toBe(403);
    expect((await change(id, { permission: 'read' })).body.permission).toBe('read');
    expect((await api.post({ content: 'Here.', containerTag: tag }, { key })).status).toBe(403);
    const back = await change(id, { containerTags: null, expiresInDays: null, permission: 'write' });
    expect(back.body).toMatchObject({
      containerTags: null,
      expiresAt: null,
      rateLimitMax: null,
      name: 'after',
    });
    expect((await api.post({ content: 'There.', containerTag: api.newTag() }, { key })).status).toBe(200);
    expect((await listedKeys(api)).find((one) => one.id === id)).toMatchObject({
      name: 'after',
      expiresAt: null,
    });
  });

  verifies('keys:update:fields', 'takes a rate, and takes it away', async () => {
    const { id } = await scopedKey(api, { containerTag: api.newTag() });
    expect((await change(id, { rateLimitMax: 7, rateLimitTimeWindow: 1_000 })).body).toMatchObject({
      rateLimitMax: 7,
      rateLimitTimeWindow: 1_000,
    });
    expect((await change(id, { rateLimitMax: null })).body).toMatchObject({
      rateLimitMax: 500,
      rateLimitTimeWindow: 60_000,
    });
  });

  verifies(
    'keys:update:fields',
    'says which fields there are when none is given, and what a wrong one takes',
    async () => {
      const { id } = await agentKey(api, { name: 'x' });
      expect(await change(id, {})).toMatchObject({
        status: 400,
        body: {
          error: expect.stringContaining(
            'give at least one of name, permission, containerTags, expiresInDays',
          ),
        },
      });
      expect(await change(id, { expiresInDays: 0 })).toMatchObject({
        status: 400,
        body: { error: 'Invalid request: expiresInDays: must be a whole number from 1 to 3650' },
      });
      expect((await change(id, { containerTags: [] })).status).toBe(400);
      expect((await change('nobody', { name: 'y' })).status).toBe(404);
    },
  );

  verifies('keys:update:fields', 'gives a key nothing beyond the key that asks for it', async () => {
    const lent = await agentKey(api, { name: 'for a week', expiresInDays: 7, rateLimitMax: 50 });
    const other = await agentKey(api, { name: 'other', expiresInDays: 1 });
    const own = await change(lent.id, { expiresInDays: null }, { key: lent.key });
    expect([own.status, own.body.error]).toEqual([
      403,
      expect.stringMatching(/^A key changes neither itself nor a key that made it\./),
    ]);
    const { status, body } = await change(
      other.id,
      { expiresInDays: null, rateLimitMax: 1_000 },
      { key: lent.key },
    );
    expect([status, body.rateLimitMax]).toEqual([200, 50]);
    expect(daysUntil(body.expiresAt)).toBeCloseTo(7, 2);
    expect(body.note).toMatch(
      /^It expires with your key, at .*\. It may make 50 requests per 60 seconds, as your key\.$/,
    );
    const renamed = await change(other.id, { name: 'renamed' }, { key: lent.key });
    expect(renamed.body).toMatchObject({ name: 'renamed', expiresAt: body.expiresAt });
  });

  verifies('keys:update:fields', 'leaves a key that made others above them', async () => {
    const maker = await agentKey(api, { name: 'maker' });
    const answer = await api.ask<{ id: string; key: string }>(
      'POST',
      '/v3/auth/agent-key',
      { name: 'made', permission: 'write' },
      { key: maker.key },
    );
    for (const less of [{ permission: 'read' }, { containerTags: ['one'] }])
      expect(await change(maker.id, less)).toMatchObject({
        status: 409,
        body: { error: expect.stringMatching(/^This key made another key, which would then exceed it\./) },
      });
    expect((await change(maker.id, { name: 'maker of one' })).status).toBe(200);
    expect((await change(maker.id, { name: 'mine' }, { key: answer.body.key })).status).toBe(403);
  });
});

describe('a rotation', () => {
  verifies(
    'keys:rotate:overlap',
    'answers a key with the same rights, and the former one goes on for a day',
    async () => {
      const tag = api.newTag();
      const former = await scopedKey(api, {
        containerTag: tag,
        permission: 'read',
        expiresInDays: 30,
        name: 'reader',
      });
      const { status, body } = await rotate(former.id);
      expect([status, body.replaces]).toEqual([200, former.id]);
      expect(daysUntil(body.formerEndsAt)).toBeCloseTo(1, 2);
      expect(body.expiresAt).toBe(former.expiresAt);
      expect([await statusWith(api, former.key), await statusWith(api, body.key)]).toEqual([200, 200]);
      expect((await listedKeys(api)).find(({ id }) => id === body.id)).toMatchObject({
        name: 'reader',
        permission: 'read',
        containerTags: [tag],
      });
    },
  );

  verifies('keys:rotate:overlap', 'without an overlap ends the former key at once', async () => {
    const former = await agentKey(api, { name: 'leaked' });
    const { body } = await rotate(former.id, { overlapHours: 0 });
    expect([await statusWith(api, former.key), await statusWith(api, body.key)]).toEqual([401, 200]);
    expect(await rotate(former.id)).toMatchObject({
      status: 409,
      body: { error: expect.stringMatching(/^This key is disabled or has expired/) },
    });
  });

  verifies('keys:rotate:overlap', 'of itself keeps what the key made, and its end', async () => {
    const former = await agentKey(api, { name: 'maker', expiresInDays: 2 });
    const made = await api.ask<{ id: string; key: string }>(
      'POST',
      '/v3/auth/agent-key',
      { name: 'made', permission: 'write' },
      { key: former.key },
    );
    expect((await rotate(former.id, {}, { key: made.body.key })).status).toBe(403);
    const { body } = await rotate(former.id, { overlapHours: 0 }, { key: former.key });
    expect(body.expiresAt).toBe(former.expiresAt);
    expect(await statusWith(api, former.key)).toBe(401);
    expect(await statusWith(api, made.body.key)).toBe(200);
    expect((await listedKeys(api)).find(({ id }) => id === made.body.id)?.madeBy).toBe(body.id);
    await api.ask('DELETE', `/v3/auth/scoped-key/${body.id}`);
    expect(await statusWith(api, made.body.key)).toBe(401);
  });

  verifies('keys:rotate:overlap', 'by another key gives nothing that outlives that key', async () => {
    const lent = await agentKey(api, { name: 'for a week', expiresInDays: 7 });
    const lasting = await agentKey(api, { name: 'lasting' });
    const { body } = await rotate(lasting.id, {}, { key: lent.key });
    expect(daysUntil(body.expiresAt)).toBeCloseTo(7, 2);
    await api.ask('DELETE', `/v3/auth/scoped-key/${lent.id}`);
    expect(await statusWith(api, body.key)).toBe(401);
  });
});
