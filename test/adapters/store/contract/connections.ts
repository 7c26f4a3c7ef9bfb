// Connections: one run at a time, a ledger that survives every crash, and removals that are believed only with care.
import { describe, expect, test } from 'vitest';
import type {
  LeasedRun,
  NewConnection,
  RunEnd,
  SeenItem,
} from '../../../../server/adapters/store/ports/connections.ts';
import { everything, type OpenStore, only, openWorld, type World } from './world.ts';

const MINUTE = 60_000;
const COMPLETED: RunEnd = { status: 'completed', errorCode: null, error: null, nextLookAt: null };

const connect = async (world: World, more: Partial<NewConnection> = {}): Promise<string> => {
  const id = more.id ?? 'connection-of-the-test';
  await world.store.connections.create(everything, {
    id,
    provider: 's3',
    tags: ['a'],
    documentLimit: 100,
    metadata: { bucket: 'papers' },
    createdBy: null,
    createdAt: world.clock.now(),
    nextLookAt: world.clock.now(),
    sealed: 'sealed-secret',
    ...more,
  });
  return id;
};

const lease = async (world: World): Promise<LeasedRun> => {
  const run = await world.syncing.leaseRun(MINUTE);
  if (run === null) throw new Error('No connection is due.');
  return run;
};

const item = (id: string, mark = 'one', more: Partial<SeenItem> = {}): SeenItem => ({
  id,
  mark,
  face: { title: id },
  how: { key: id },
  ...more,
});

const look = (world: World, run: LeasedRun, items: readonly SeenItem[], cursor: unknown = null) =>
  world.syncing.storePage(run, { items, cursor }, MINUTE);

/** Takes all that is wanted; the ids, in order. */
const takeAll = async (world: World, run: LeasedRun): Promise<string[]> => {
  const wanted = await world.syncing.wanted(run.connection, 1000);
  for (const each of wanted) await world.syncing.taken(run, each, `document-${each.id}`);
  return wanted.map(({ id }) => id);
};

/** A run from its beginning to its end: what was taken, and what became of that which was missing. */
const runThrough = async (world: World, items: readonly SeenItem[]) => {
  await world.store.connections.want(everything, 'connection-of-the-test', 'manual');
  const run = await lease(world);
  await look(world, run, items);
  const end = await world.syncing.endWholeLook(run);
  const taken = await takeAll(world, run);
  await world.syncing.endRun(run, COMPLETED);
  return { end, taken };
};

const names = (count: number, from = 0): SeenItem[] =>
  Array.from({ length: count }, (_, at) => item(`item-${String(at + from).padStart(3, '0')}`));

const recordContract = (opened: () => Promise<World>): void => {
  test('are changed by a caller that holds all of their tags, and by no other', async () => {
    await using world = await opened();
    const id = await connect(world, { tags: ['a', 'b'] });
    await runThrough(world, names(1));
    const { connections } = world.store;
    const foreign = only('c');
    const partly = only('a');
    for (const scope of [foreign, partly]) {
      expect(await connections.pause(scope, id)).toBe(false);
      expect(await connections.resume(scope, id)).toBe(false);
      expect(await connections.want(scope, id, 'manual')).toBe(false);
      expect(await connections.acceptRemovals(scope, id)).toBe(false);
      expect(await connections.remove(scope, id)).toBeNull();
    }
    expect(await connections.runs(foreign, id, 10)).toEqual([]);
    expect(await connections.items(foreign, id, 'taken', 10)).toEqual([]);
    expect(await connections.count(foreign, id)).toEqual({});
    expect(await connections.count(partly, id)).toEqual({ taken: 1 });
    const own = await connections.get(everything, id);
    if (own === null) throw new Error('The connection is gone.');
    expect(await connections.create(foreign, { ...own, id: 'stolen', sealed: null })).toBe(false);
    expect(await connections.list(everything)).toEqual([own]);
    expect(await connections.pause(only('a', 'b'), id)).toBe(true);
  });

  test('are seen by the tags of a scope, without their secret', async () => {
    await using world = await opened();
    const id = await connect(world, { tags: ['a', 'b'] });
    await connect(world, { id: 'another', tags: ['c'] });
    const { connections } = world.store;
    expect((await connections.list(everything)).map((each) => each.id).sort()).toEqual(['another', id]);
    expect((await connections.list(only('b'))).map((each) => each.id)).toEqual([id]);
    expect(await connections.get(only('c'), id)).toBeNull();
    const record = await connections.get(only('a'), id);
    expect(record).toMatchObject({
      provider: 's3',
      state: 'active',
      metadata: { bucket: 'papers' },
      held: 0,
    });
    expect(JSON.stringify(record)).not.toContain('sealed');
    expect((await lease(world)).sealed).toBe('sealed-secret');
  });

  test('look when they are due, wanted or resumed, and not while they are paused', async () => {
    await using world = await opened();
    const id = await connect(world, { nextLookAt: null });
    const { connections } = world.store;
    expect(await world.syncing.leaseRun(MINUTE)).toBeNull();
    expect(await connections.want(everything, id, 'manual')).toBe(true);
    const run = await lease(world);
    await world.syncing.endRun(run, { ...COMPLETED, nextLookAt: world.clock.now() + MINUTE });
    expect(await world.syncing.leaseRun(MINUTE)).toBeNull();
    world.clock.pass(MINUTE);
    expect(await connections.pause(everything, id)).toBe(true);
    expect(await connections.want(everything, id, 'manual')).toBe(false);
    expect(await world.syncing.leaseRun(MINUTE)).toBeNull();
    expect(await connections.resume(everything, id)).toBe(true);
    await lease(world);
    const runs = await connections.runs(everything, id, 10);
    expect(runs.map(({ trigger, status }) => [trigger, status])).toEqual([
      ['cron', 'running'],
      ['manual', 'completed'],
    ]);
    expect(await connections.pause(everything, 'nobody')).toBe(false);
  });

  test('end with their ledger, runs and secret, and name the documents that no other one holds', async () => {
    await using world = await opened();
    const id = await connect(world);
    await runThrough(world, names(2));
    await connect(world, { id: 'another' });
    const run = await lease(world);
    await look(world, run, [item('shared')]);
    const [shared] = await world.syncing.wanted('another', 1);
    if (shared === undefined) throw new Error('Nothing is wanted.');
    await world.syncing.taken(run, shared, 'document-item-000');
    expect(await world.store.connections.remove(everything, id)).toEqual(['document-item-001']);
    expect(await world.store.connections.remove(everything, id)).toBeNull();
    for (const table of ['connection_items', 'connection_secrets', 'sync_runs'])
      expect(await world.rows(`select * from ${table} where connection = '${id}'`)).toEqual([]);
  });
};

const leaseContract = (opened: () => Promise<World>): void => {
  test('have one run at a time, which goes on under its id after its process is gone', async () => {
    await using world = await opened();
    await connect(world);
    const first = await lease(world);
    expect(await world.syncing.leaseRun(MINUTE)).toBeNull();
    expect(await look(world, first, names(2), { after: 'item-001' })).toBe(true);
    world.clock.pass(MINUTE + 1);
    const second = await lease(world);
    expect(second).toMatchObject({ run: first.run, look: first.look, cursor: { after: 'item-001' } });
    expect(second.lease).not.toBe(first.lease);
  });

  test('take no write from a run that lost its lease, also after a pause', async () => {
    await using world = await opened();
    const id = await connect(world);
    const lost = await lease(world);
    await look(world, lost, names(1));
    world.clock.pass(MINUTE + 1);
    const [wanted] = await world.syncing.wanted(id, 1);
    const run = await lease(world);
    if (wanted === undefined) throw new Error('Nothing is wanted.');
    expect(await look(world, lost, names(5))).toBe(false);
    expect(await world.syncing.endWholeLook(lost)).toBe(false);
    expect(await world.syncing.taken(lost, wanted, 'document')).toBe(false);
    expect(await world.syncing.failItem(lost, wanted.id, { code: 'x', message: 'x', dueAt: null })).toBe(
      false,
    );
    expect(await world.syncing.endRun(lost, COMPLETED)).toBe(false);
    expect(await world.store.connections.count(everything, id)).toEqual({ wanted: 1 });
    await world.store.connections.pause(everything, id);
    expect(await look(world, run, names(5))).toBe(false);
    expect(await world.store.connections.count(everything, id)).toEqual({ wanted: 1 });
  });

  test('wait as long as the source asked, and for a person after it refused the credentials', async () => {
    await using world = await opened();
    const id = await connect(world);
    const failed: RunEnd = { ...COMPLETED, status: 'failed', nextLookAt: world.clock.now() };
    const refusal = { errorCode: 'rate_limited', error: 'Slow down.', notBefore: world.clock.now() + MINUTE };
    await world.syncing.endRun(await lease(world), { ...failed, ...refusal });
    expect(await world.syncing.leaseRun(MINUTE)).toBeNull();
    world.clock.pass(MINUTE);
    const run = await lease(world);
    await world.syncing.endRun(run, { ...failed, errorCode: 'auth_expired', signedOut: true });
    expect(await world.syncing.leaseRun(MINUTE)).toBeNull();
    expect(await world.store.connections.get(everything, id)).toMatchObject({ state: 'signed_out' });
    const [, first] = await world.store.connections.runs(everything, id, 10);
    expect(first).toMatchObject({ status: 'failed', errorCode: 'rate_limited', error: 'Slow down.' });
  });
};

const ledgerContract = (opened: () => Promise<World>): void => {
  test('want what is new or changed, and read nothing that is unchanged', async () => {
    await using world = await opened();
    await connect(world);
    expect((await runThrough(world, names(3))).taken).toEqual(['item-000', 'item-001', 'item-002']);
    expect((await runThrough(world, names(3))).taken).toEqual([]);
    const changed = [
      item('item-000', 'two'),
      item('item-001', 'one', { face: { title: 'New' } }),
      item('item-002'),
    ];
    await world.store.connections.want(everything, 'connection-of-the-test', 'manual');
    const run = await lease(world);
    await look(world, run, changed);
    const wanted = await world.syncing.wanted(run.connection, 10);
    expect(wanted.map(({ id, sameContent }) => [id, sameContent])).toEqual([
      ['item-000', false],
      ['item-001', true],
    ]);
  });

  test('keep a title that changed wanted until it was taken, however often it is seen', async () => {
    await using world = await opened();
    await connect(world);
    await runThrough(world, [item('note')]);
    const renamed = item('note', 'one', { face: { title: 'New' } });
    await world.store.connections.want(everything, 'connection-of-the-test', 'manual');
    const run = await lease(world);
    await look(world, run, [renamed]);
    await look(world, run, [renamed]);
    expect(await takeAll(world, run)).toEqual(['note']);
    await look(world, run, [renamed]);
    expect(await takeAll(world, run)).toEqual([]);
  });

  test('want an item again that changed while it was read', async () => {
    await using world = await opened();
    await connect(world);
    const run = await lease(world);
    await look(world, run, [item('note')]);
    const [old] = await world.syncing.wanted(run.connection, 1);
    await look(world, run, [item('note', 'two')]);
    if (old === undefined) throw new Error('Nothing is wanted.');
    await world.syncing.taken(run, old, 'document');
    expect(await world.syncing.wanted(run.connection, 1)).toMatchObject([{ mark: 'two', doc: 'document' }]);
  });

  test('try a failed item at its time, and one that failed for good when it changes', async () => {
    await using world = await opened();
    const id = await connect(world);
    const run = await lease(world);
    await look(world, run, [item('note')]);
    const later = {
      code: 'fetch_failed',
      message: 'note could not be read.',
      dueAt: world.clock.now() + 1000,
    };
    await world.syncing.failItem(run, 'note', later);
    expect(await world.syncing.wanted(id, 1)).toEqual([]);
    world.clock.pass(1000);
    expect(await world.syncing.wanted(id, 1)).toMatchObject([{ attempts: 1 }]);
    await world.syncing.failItem(run, 'note', { ...later, dueAt: null });
    await look(world, run, [item('note')]);
    expect(await world.store.connections.items(everything, id, 'failed', 10)).toMatchObject([
      { id: 'note', error: 'note could not be read.' },
    ]);
    await look(world, run, [item('note', 'two')]);
    expect(await world.syncing.wanted(id, 1)).toMatchObject([{ id: 'note', attempts: 0 }]);
  });

  test('keep their places within the limit, and count what lies beyond it', async () => {
    await using world = await opened();
    const id = await connect(world, { documentLimit: 3 });
    const run = await lease(world);
    await look(world, run, [
      ...names(2),
      item('huge', 'one', { skip: { code: 'too_large', message: 'Large.' } }),
    ]);
    await look(world, run, names(4));
    expect(await world.store.connections.count(everything, id)).toEqual({ wanted: 3, skipped: 1 });
    expect(await world.store.connections.runs(everything, id, 1)).toMatchObject([{ beyondLimit: 1 }]);
  });
};

const removalContract = (opened: () => Promise<World>): void => {
  test('let go of what a whole listing does not show, and bring it back when it shows it again', async () => {
    await using world = await opened();
    const id = await connect(world);
    await runThrough(world, names(3));
    expect((await runThrough(world, names(2))).end).toEqual({ outcome: 'removed', items: 1 });
    expect(await world.syncing.goneWithDocument(id, 10)).toEqual([
      { id: 'item-002', doc: 'document-item-002' },
    ]);
    expect((await runThrough(world, names(3))).taken).toEqual(['item-002']);
    expect(await world.syncing.goneWithDocument(id, 10)).toEqual([]);
  });

  test('believe at once what the source says it removed, and forget it when its document is', async () => {
    await using world = await opened();
    const id = await connect(world);
    await runThrough(world, names(2));
    await world.store.connections.want(everything, id, 'event');
    const run = await lease(world);
    await look(world, run, [item('item-000', '', { gone: true }), item('never-seen', '', { gone: true })]);
    expect(await world.store.connections.count(everything, id)).toEqual({ gone: 1, taken: 1 });
    expect(await world.syncing.forgetItems(run, ['item-000', 'item-001'])).toBe(true);
    expect(await world.store.connections.count(everything, id)).toEqual({ taken: 1 });
  });

  test('hold the removals of an empty listing until a person accepts them', async () => {
    await using world = await opened();
    const id = await connect(world);
    await runThrough(world, names(21));
    expect((await runThrough(world, [])).end).toEqual({ outcome: 'held', items: 21 });
    expect(await world.store.connections.get(everything, id)).toMatchObject({ state: 'held', held: 21 });
    expect(await world.store.connections.want(everything, id, 'manual')).toBe(false);
    expect(await world.store.connections.count(everything, id)).toEqual({ taken: 21 });
    expect(await world.store.connections.acceptRemovals(everything, id)).toBe(true);
    const run = await lease(world);
    expect(await world.syncing.endWholeLook(run)).toEqual({ outcome: 'removed', items: 21 });
    await world.syncing.endRun(run, COMPLETED);
    expect(await world.store.connections.acceptRemovals(everything, id)).toBe(false);
  });

  test('follow a merge of their tags, end with their last tag, and go with a reset', async () => {
    await using world = await opened();
    for (const tag of ['a', 'b', 'c']) await world.add(`Of ${tag}.`, { tags: [tag] });
    await connect(world, { tags: ['a', 'c'] });
    await connect(world, { id: 'another', tags: ['c'] });
    await world.store.tags.merge(everything, { id: 'merge', sources: ['a'], target: 'b' });
    while (await world.merges.mergeSlice(10));
    const { connections } = world.store;
    expect((await connections.list(only('b'))).map(({ tags }) => tags)).toEqual([['b', 'c']]);
    await world.store.tags.remove(everything, 'c');
    expect((await connections.list(everything)).map(({ tags }) => tags)).toEqual([['b']]);
    expect(await world.store.settings.reset('default')).toMatchObject({ connections: 1 });
    expect(await connections.list(everything)).toEqual([]);
    expect(await world.rows('select * from connection_secrets')).toEqual([]);
  });
};

export const connectionsContract = (open: OpenStore): void => {
  describe('connections', () => {
    const opened = () => openWorld(open);
    recordContract(opened);
    leaseContract(opened);
    ledgerContract(opened);
    removalContract(opened);
  });
};
