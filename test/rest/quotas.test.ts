// Quotas: calls beyond one are refused until the day or month ends, and everything else goes on.
import { describe, expect, test } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { agentKey, listedKeys, scopedKey } from './support/keys.ts';
import { addMember } from './support/team.ts';
import { type Refusal, useMemoir } from './support/use-memoir.ts';

const api = useMemoir();

interface Quota {
  of: string;
  id: string;
  quota: string;
  limit: number;
  used: number;
  endsAt: string;
}

const set = (of: string, id: string, quotas: object, as: { key?: string } = {}) =>
  api.ask<{ quotas: Quota[] } & Refusal>('PUT', '/v3/quotas', { of, id, quotas }, as);

const listed = async (id: string): Promise<Quota[]> =>
  (await api.ask<{ quotas: Quota[] }>('GET', '/v3/quotas')).body.quotas.filter((quota) => quota.id === id);

const search = (containerTag: string, as: { key?: string } = {}) =>
  api.ask<Refusal>('POST', '/v4/search', { q: 'wheels', containerTag }, as);

describe('a quota', () => {
  verifies('quota:exceeded:429', 'of a key ends its calls beyond it, and says until when', async () => {
    const key = await agentKey(api, { name: 'limited' });
    const tag = api.newTag();
    expect((await set('key', key.id, { documentsPerDay: 3, searchesPerMonth: 1 })).status).toBe(200);
    const batch = (count: number) =>
      api.ask<Refusal>(
        'POST',
        '/v3/documents/batch',
        { documents: Array.from({ length: count }, (_, at) => `Line ${at} of ${count}.`), containerTag: tag },
        key,
      );
    expect((await batch(2)).status).toBe(200);
    const beyond = await batch(2);
    expect(beyond.status).toBe(429);
    expect(beyond.body.error).toMatch(
      /^The quota documentsPerDay of this key leaves 1 of 3 documents per day, and this call needs 2\. It ends at \d{4}-\S+T00:00:00\.000Z\. Send less/,
    );
    expect((await batch(4)).body.error).toMatch(/and this call needs 4\. Send less at once, or have/);
    expect(beyond.headers.get('x-should-retry')).toBe('false');
    expect(Number(beyond.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(beyond.headers.get('retry-after'))).toBeLessThanOrEqual(86_400);
    expect((await batch(1)).status, 'one still fits').toBe(200);
    const none = await batch(1);
    expect([none.status, none.body.error]).toEqual([
      429,
      expect.stringMatching(
        /^The quota documentsPerDay of this key is used up: 3 documents per day\. It ends at \S+T00:00:00\.000Z\. Wait/,
      ),
    ]);
    expect((await search(tag, key)).status).toBe(200);
    expect((await search(tag, key)).body.error).toContain('searchesPerMonth');
    expect((await api.ask('GET', '/v3/session', undefined, key)).status, 'other calls go on').toBe(200);
    expect((await search(tag)).status, 'other keys go on').toBe(200);
    expect((await listed(key.id)).map(({ quota, limit, used }) => [quota, limit, used])).toEqual([
      ['documentsPerDay', 3, 3],
      ['searchesPerMonth', 1, 1],
    ]);
    expect((await set('key', key.id, { documentsPerDay: null })).body.quotas).toHaveLength(1);
    expect((await batch(2)).status, 'without the quota').toBe(200);
  });

  verifies('quota:exceeded:429', 'of a container tag counts whoever asks', async () => {
    const [tag, other] = [api.newTag(), api.newTag()];
    for (const containerTag of [tag, other]) await api.add({ content: 'A first line.', containerTag });
    await set('tag', tag, { bytesPerDay: 40, tokensPerDay: 0 });
    const add = (containerTag: string, content: string) =>
      api.ask<Refusal>('POST', '/v3/documents', { content, containerTag });
    expect((await add(tag, 'short')).body.error).toContain('tokensPerDay');
    await set('tag', tag, { tokensPerDay: null });
    const long = await add(tag, 'x'.repeat(30));
    expect(long.status).toBe(429);
    expect(long.body.error).toContain(`bytesPerDay of the container tag "${tag}"`);
    expect((await add(tag, 'x'.repeat(20))).status).toBe(200);
    expect((await add(other, 'x'.repeat(30))).status).toBe(200);
    await api.ask('DELETE', `/v3/container-tags/${tag}`);
    expect(await listed(tag)).toEqual([]);
  });

  test('goes on with the key that takes the place of a rotated one', async () => {
    const key = await agentKey(api, { name: 'rotated' });
    const tag = api.newTag();
    await set('key', key.id, { searchesPerDay: 1 });
    expect((await search(tag, key)).status).toBe(200);
    const rotated = await api.ask<{ id: string; key: string }>('POST', `/v3/auth/keys/${key.id}/rotate`, {
      overlapHours: 1,
    });
    expect((await search(tag, { key: rotated.body.key })).status).toBe(429);
  });

  test('is shared by a rotated key and the one in its place, while both work', async () => {
    const key = await agentKey(api, { name: 'both' });
    const tag = api.newTag();
    await set('key', key.id, { searchesPerDay: 2 });
    const rotated = await api.ask<{ key: string }>('POST', `/v3/auth/keys/${key.id}/rotate`, {
      overlapHours: 1,
    });
    expect((await search(tag, rotated.body)).status).toBe(200);
    expect((await search(tag, key)).status).toBe(200);
    for (const one of [key, rotated.body]) expect((await search(tag, one)).status).toBe(429);
  });

  verifies('quota:exceeded:429', 'of a key counts what the keys do that it made', async () => {
    const maker = await agentKey(api, { name: 'maker' });
    const tag = api.newTag();
    await set('key', maker.id, { searchesPerDay: 2 });
    const made = await agentKey(api, { name: 'made' }, maker);
    const ofMade = await agentKey(api, { name: 'made by the made' }, made);
    expect((await search(tag, ofMade)).status).toBe(200);
    expect((await search(tag, maker)).status).toBe(200);
    const beyond = await search(tag, made);
    expect([beyond.status, beyond.body.error]).toEqual([
      429,
      expect.stringContaining(
        'The quota searchesPerDay of the key that made this one is used up: 2 searches',
      ),
    ]);
    const raised = await set('key', maker.id, { searchesPerDay: 1_000 }, made);
    expect([raised.status, raised.body.error]).toEqual([403, expect.stringContaining('a key that made it')]);
  });

  verifies('quota:exceeded:429', 'is set along with a change of a key or a container tag', async () => {
    const key = await agentKey(api, { name: 'changed' });
    const tag = api.newTag();
    const changeKey = (change: object, as: { key?: string } = {}) =>
      api.ask<{ name: string; quotas?: Quota[] } & Refusal>('PATCH', `/v3/auth/keys/${key.id}`, change, as);
    const changeTag = (change: object, as: { key?: string } = {}) =>
      api.ask<{ quotas?: Quota[] } & Refusal>('PATCH', `/v3/container-tags/${tag}`, change, as);
    const changed = await changeKey({ name: 'renamed', quotas: { searchesPerDay: 1, bytesPerMonth: 9 } });
    expect(changed.body).toMatchObject({
      name: 'renamed',
      quotas: [
        { of: 'key', id: key.id, quota: 'bytesPerMonth', limit: 9 },
        { quota: 'searchesPerDay', limit: 1, used: 0 },
      ],
    });
    expect((await changeKey({ quotas: { bytesPerMonth: null } })).body.quotas).toHaveLength(1);
    expect((await changeKey({ name: 'again' })).body.quotas).toBeUndefined();
    expect((await search(api.newTag(), key)).status).toBe(200);
    expect((await search(api.newTag(), key)).body.error).toContain(
      'The quota searchesPerDay of this key is used up: 1 search per day.',
    );
    expect((await changeTag({ quotas: { searchesPerDay: 0 } })).body.quotas).toMatchObject([
      { of: 'tag', id: tag, limit: 0 },
    ]);
    expect((await search(tag)).body.error).toContain(`searchesPerDay of the container tag "${tag}"`);
    const rows = await api.ask<{ entries: { action: string; details: object }[] }>(
      'GET',
      `/v3/audit?target=${key.id}&action=key.change`,
    );
    expect(rows.body.entries.map(({ details }) => details)).toMatchObject([
      { fields: ['name'] },
      { fields: ['quotas'], quotas: ['bytesPerMonth'] },
      { fields: ['name', 'quotas'], quotas: ['bytesPerMonth', 'searchesPerDay'] },
    ]);
  });

  test('is for those who manage the organisation, also along with a change', async () => {
    const tag = api.newTag();
    const key = await agentKey(api, { name: 'its own' });
    const scoped = await scopedKey(api, { containerTag: tag });
    const plugin = await agentKey(api, { pluginId: 'cursor' });
    const patch = (path: string, as: { key?: string }) =>
      api.ask<Refusal>('PATCH', path, { quotas: { searchesPerDay: 1_000_000 } }, as);
    expect((await patch(`/v3/auth/keys/${key.id}`, key)).body.error).toContain('no quota of its own');
    for (const one of [scoped, plugin])
      expect((await patch(`/v3/container-tags/${tag}`, one)).status).toBe(403);
    expect(await listed(tag)).toEqual([]);
    expect((await patch('/v3/auth/keys/nobody', {})).status).toBe(404);
    expect((await patch(`/v3/container-tags/${tag}`, {})).status).toBe(200);
  });

  test('is set by others, for what there is, and noted', async () => {
    const key = await agentKey(api, { name: 'sets' });
    expect((await set('key', key.id, { documentsPerDay: 1 }, key)).status).toBe(403);
    expect((await set('key', 'nobody', { documentsPerDay: 1 })).status).toBe(404);
    expect((await set('tag', 'nobody at all', { documentsPerDay: 1 })).status).toBe(404);
    expect((await set('key', key.id, { documentsPerYear: 1 })).status).toBe(400);
    expect((await set('key', key.id, { documentsPerDay: -1 })).status).toBe(400);
    const scoped = await scopedKey(api, { containerTag: api.newTag() });
    expect((await set('key', key.id, { documentsPerDay: 1 }, scoped)).status).toBe(403);
    await set('key', key.id, { documentsPerDay: 1 });
    const { body } = await api.ask<{ entries: { action: string; details: object }[] }>(
      'GET',
      `/v3/audit?target=${key.id}&action=quota`,
    );
    expect(body.entries).toMatchObject([
      { action: 'quota.change', details: { quotas: ['documentsPerDay'] } },
    ]);
  });

  test('of an owner, and of the keys of an owner, is set by owners alone', async () => {
    const name = api.newTag();
    const [owner, admin, member] = await Promise.all(
      (['owner', 'admin', 'member'] as const).map((role) =>
        addMember(api, { email: `${role}-${name}@example.org`, role }),
      ),
    );
    if (owner === undefined || admin === undefined || member === undefined) throw new Error('Nobody joined.');
    const ownerKey =
      (await listedKeys(api)).find((key) => (key.owner as { id: string } | null)?.id === owner.id)?.id ?? '';
    const quotas = { searchesPerDay: 5 };
    for (const [of, id] of [
      ['member', owner.id],
      ['key', ownerKey],
    ] as const) {
      const refused = await set(of, id, quotas, admin);
      expect([of, refused.status, refused.body.error]).toEqual([of, 403, expect.stringContaining('owner')]);
      expect((await set(of, id, quotas, member)).status).toBe(403);
      expect(await listed(id)).toEqual([]);
      expect((await set(of, id, quotas)).status, 'by a full key').toBe(200);
      expect((await set(of, id, { searchesPerDay: null }, owner)).status, of).toBe(of === 'key' ? 403 : 200);
    }
    expect((await set('member', member.id, quotas, admin)).status, 'of others by an admin').toBe(200);
    expect((await search(api.newTag(), member)).status).toBe(200);
  });
});
