// The audit log: each row with its change or neither of them, kept as it was written, and checked as a chain.
import { describe, expect, test } from 'vitest';
import type { AuditQuery, ChainCheck } from '../../../../server/adapters/store/ports/audit.ts';
import type { KeyRecord } from '../../../../server/adapters/store/ports/keys.ts';
import type { AuditAction, AuditNote, AuditSubject } from '../../../../server/core/audit.ts';
import { sha256 } from '../../../../server/lib/hash.ts';
import { newId } from '../../../../server/lib/ids.ts';
import { DAY_MS } from '../../../../server/lib/text/dates/calendar.ts';
import { everything, type OpenStore, only, openWorld, type World } from './world.ts';

const note = (action: AuditAction, subject: AuditSubject = {}): AuditNote => ({
  action,
  actor: { kind: 'key', id: 'ada', name: 'Ada' },
  ...{ way: 'rest', requestId: 'call', address: '192.0.2.1' },
  ...subject,
});

const keyOf = (id: string): KeyRecord => ({
  ...{ id, hash: sha256(id), start: 'sm_start', name: id, permission: 'write', tags: null, enabled: true },
  ...{ expiresAt: null, rateLimitMax: null, rateLimitWindowMs: null, pluginId: null, madeBy: null },
  ...{ createdAt: 1_000, lastUsedAt: null, ownerId: null, role: null, replacedBy: null },
});

const listed = async ({ store }: World, query: Partial<AuditQuery> = {}) =>
  (await store.audit.list(everything, { offset: 0, limit: 100, ...query })).entries;

const checked = ({ store }: World): Promise<ChainCheck> => store.audit.check(everything, null);

/** A store with this number of rows in its audit log. */
const withRows = async (open: OpenStore, count: number): Promise<World> => {
  const world = await openWorld(open);
  for (let at = 1; at <= count; at++)
    await world.store.auditing.append(note('space.reindex', { details: { at } }));
  return world;
};

/** Takes the triggers out of the way, as each database lets its owner. */
const UNLOCKED = {
  sqlite:
    'drop trigger audit_not_changed; drop trigger audit_address_only_dropped; drop trigger audit_not_deleted;',
  postgres: 'begin; set local session_replication_role = replica;',
};

const meddle = (world: World, statement: string): Promise<void> =>
  world.meddle(UNLOCKED.sqlite).then(
    () => world.meddle(statement),
    () => world.meddle(`${UNLOCKED.postgres} ${statement}; commit`),
  );

const meddling: readonly [string, string, { n: number; why: string }][] = [
  ['a changed name', `update audit set actor_name = 'Eve' where n = 3`, { n: 3, why: 'changed' }],
  ['changed details', `update audit set details = '{"at":4000}' where n = 4`, { n: 4, why: 'changed' }],
  ['a moved time', `update audit set at = at + 1 where n = 1`, { n: 1, why: 'changed' }],
  ['a new hash for a changed row', `update audit set hash = 'f00' where n = 5`, { n: 5, why: 'changed' }],
  ['the last row changed', `update audit set action = 'tag.merge' where n = 6`, { n: 6, why: 'changed' }],
  ['the first row deleted', 'delete from audit where n = 1', { n: 1, why: 'missing' }],
  ['a row deleted', 'delete from audit where n = 3', { n: 3, why: 'missing' }],
  ['the last row deleted', 'delete from audit where n = 6', { n: 6, why: 'missing' }],
  [
    'a row deleted and the later ones moved up',
    'delete from audit where n = 3; update audit set n = n - 1 where n = 4; update audit set n = n - 1 where n = 5; update audit set n = n - 1 where n = 6',
    { n: 3, why: 'changed' },
  ],
  [
    'a row put in at the end',
    `insert into audit (n, at, actor_kind, actor_id, actor_name, way, action, details, hash)
       select 7, at, actor_kind, actor_id, actor_name, way, action, details, hash from audit where n = 6`,
    { n: 7, why: 'inserted' },
  ],
  [
    'a row put in before the first',
    `insert into audit (n, at, actor_kind, actor_id, actor_name, way, action, details, hash)
       select 0, at, actor_kind, actor_id, actor_name, way, action, details, hash from audit where n = 1`,
    { n: 0, why: 'inserted' },
  ],
  [
    'the beginning hidden as if it had been pruned',
    `update audit_head set pruned_n = 2, pruned_hash = (select hash from audit where n = 2);
       delete from audit where n <= 2`,
    { n: 2, why: 'missing' },
  ],
];

const anyRow: readonly [string, (n: number) => string][] = [
  ['changed', (n) => `update audit set actor_id = 'eve' where n = ${n}`],
  ['deleted', (n) => `delete from audit where n = ${n}`],
  [
    'put in',
    (n) => `update audit set n = n + 100 where n >= ${n}; update audit set n = n - 99 where n > 100;
      insert into audit (n, at, actor_kind, actor_id, actor_name, way, action, details, hash)
        select ${n}, at, actor_kind, actor_id, actor_name, way, 'tag.merge', details, hash from audit where n = ${n + 1}`,
  ],
];

export const auditContract = (open: OpenStore): void => {
  describe('the audit log', () => {
    test('keeps the row of a change with it, and neither of a change that fails', async () => {
      await using world = await openWorld(open);
      const { keys, tags } = world.store;
      const key = keyOf(newId());
      await keys.create(key, note('key.create', { target: { kind: 'key', id: key.id }, tags: ['a'] }));
      await expect(keys.create(key, note('key.create'))).rejects.toThrow();
      expect(await keys.setEnabled('nobody', false, note('key.disable'))).toBe(false);
      expect(await tags.remove(everything, 'none', note('tag.delete'))).toEqual({ outcome: 'missing' });
      const [row, ...more] = await listed(world);
      expect(more).toEqual([]);
      expect(row).toMatchObject({
        ...{ n: 1, action: 'key.create', tags: ['a'], target: { kind: 'key', id: key.id } },
        ...{ actor: { kind: 'key', id: 'ada', name: 'Ada' }, way: 'rest', requestId: 'call' },
        ...{ address: '192.0.2.1', details: {} },
      });
    });

    test('fails a change whose row cannot be written', async () => {
      await using world = await openWorld(open);
      const key = keyOf(newId());
      await world.meddle('alter table audit_head rename to taken_away');
      await expect(world.store.keys.create(key, note('key.create'))).rejects.toThrow();
      await world.meddle('alter table taken_away rename to audit_head');
      expect(await world.store.keys.byId(key.id)).toBeNull();
      expect(await listed(world)).toEqual([]);
    });

    test('notes a removal of many documents as one row with their number', async () => {
      await using world = await openWorld(open);
      for (const text of ['one', 'two', 'three']) await world.add(text);
      await world.store.documents.remove(everything, { by: 'tags', tags: ['a'] }, note('document.delete'));
      await world.store.documents.remove(everything, { by: 'tags', tags: ['a'] }, note('document.delete'));
      expect((await listed(world)).map(({ details }) => details)).toEqual([{ documents: 3 }]);
    });

    test('is read newest first, narrowed, and from a row on in its own order', async () => {
      await using world = await openWorld(open);
      const { audit, auditing } = world.store;
      await auditing.append(note('key.create', { target: { kind: 'key', id: 'k' } }));
      world.clock.pass(1_000);
      const later = world.clock.now();
      await auditing.append(note('key.disable', { target: { kind: 'key', id: 'k' } }));
      await auditing.append({
        ...note('tag.delete'),
        actor: { kind: 'cli', id: 'local', name: 'This machine' },
      });
      const numbers = async (query: Partial<AuditQuery>) => (await listed(world, query)).map(({ n }) => n);
      expect(await numbers({})).toEqual([3, 2, 1]);
      expect(await numbers({ after: 1 })).toEqual([2, 3]);
      expect(await numbers({ action: 'key' })).toEqual([2, 1]);
      expect(await numbers({ action: 'key.disable' })).toEqual([2]);
      expect(await numbers({ action: 'ke' })).toEqual([]);
      expect(await numbers({ actor: 'local' })).toEqual([3]);
      expect(await numbers({ target: 'k', to: later })).toEqual([1]);
      expect(await numbers({ from: later })).toEqual([3, 2]);
      expect(await numbers({ offset: 1, limit: 1 })).toEqual([2]);
      expect(await audit.list(everything, { offset: 0, limit: 1 })).toMatchObject({ total: 3 });
      expect(await audit.list(only('a'), { offset: 0, limit: 9 })).toEqual({ entries: [], total: 0 });
    });

    test('bounds what a row holds', async () => {
      await using world = await openWorld(open);
      const many = Array.from({ length: 500 }, (_, at) => `container-tag-${at}`);
      await world.store.auditing.append(note('model.use', { tags: many, details: { fields: many } }));
      const [row] = await listed(world);
      expect(row?.tags).toEqual(many.slice(0, 20));
      expect(row?.details).toEqual({ fields: 500, containerTags: 500 });
    });

    test('lets nobody change or delete a row, and an address only go', async () => {
      await using world = await withRows(open, 2);
      const refused = 'neither changed nor deleted';
      await expect(world.meddle(`update audit set action = 'tag.merge'`)).rejects.toThrow(refused);
      await expect(world.meddle(`update audit set address = '192.0.2.9'`)).rejects.toThrow(refused);
      await expect(world.meddle('delete from audit')).rejects.toThrow(refused);
      await world.meddle('update audit set address = null where n = 1');
      expect(await checked(world)).toMatchObject({ rows: 2, done: true, broken: null });
    });

    for (const [what, statement, broken] of meddling)
      test(`finds ${what}, and names the row`, async () => {
        await using world = await withRows(open, 6);
        expect(await checked(world)).toMatchObject({ rows: 6, done: true, broken: null });
        await meddle(world, statement);
        expect((await checked(world)).broken).toEqual(broken);
      });

    for (const [what, statement] of anyRow)
      test(`names the row, whichever is ${what}`, async () => {
        for (let n = 1; n <= 6; n++) {
          await using world = await withRows(open, 6);
          await meddle(world, statement(n));
          expect([n, (await checked(world)).broken?.n]).toEqual([n, n]);
        }
      });

    test('prunes its beginning, says so in a row, and stays whole', async () => {
      await using world = await withRows(open, 4);
      const { audit, auditing } = world.store;
      const before = await audit.list(everything, { offset: 0, limit: 100 });
      world.clock.pass(10 * DAY_MS);
      await auditing.append(note('model.add'));
      const now = world.clock.now();
      const pruning = { before: now - DAY_MS, addressesBefore: now };
      expect(await auditing.prune(pruning)).toBe(4);
      expect(await auditing.prune(pruning)).toBe(0);
      const rows = await listed(world);
      expect(rows.map(({ action }) => action)).toEqual(['audit.prune', 'model.add']);
      expect(rows[0]).toMatchObject({
        actor: { kind: 'server' },
        details: { rows: 4, through: 4, hash: before.entries[0]?.hash },
      });
      expect(await checked(world)).toMatchObject({ rows: 2, done: true, broken: null });
      await auditing.append(note('space.reindex'));
      expect(await checked(world)).toMatchObject({ rows: 3, done: true, broken: null });
      await meddle(world, 'delete from audit where n = 5');
      expect((await checked(world)).broken).toEqual({ n: 5, why: 'missing' });
    });

    test('drops addresses after their time and keeps the rows', async () => {
      await using world = await withRows(open, 1);
      world.clock.pass(DAY_MS);
      await world.store.auditing.append(note('space.reindex'));
      await world.store.auditing.prune({ before: 0, addressesBefore: world.clock.now() });
      expect((await listed(world)).map(({ address }) => address)).toEqual(['192.0.2.1', null]);
      expect((await checked(world)).broken).toBeNull();
    });

    test('stays one chain when keys change while documents go', async () => {
      await using world = await openWorld(open);
      const { documents, keys, tags } = world.store;
      const work = Array.from({ length: 12 }, async (_, at) => {
        await keys.create(keyOf(`key-${at}`), note('key.create'));
        await tags.upsert(everything, `tag-${at}`, { name: 'n' }, note('tag.change'));
        await documents.remove(everything, { by: 'tags', tags: ['none'] }, note('document.delete'));
      });
      await Promise.all(work);
      expect((await listed(world)).map(({ n }) => n).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 24 }, (_, at) => at + 1),
      );
      expect(await checked(world)).toMatchObject({ rows: 24, broken: null });
    });
  });
};
