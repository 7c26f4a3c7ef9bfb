// The runs and the ledger of connections: one run at a time, and nothing is read that is unchanged.
import { expect, test } from 'vitest';
import type { RunEnd } from '../../../../../server/adapters/store/ports/connections/connections.ts';
import { everything, type World } from '../world.ts';
import {
  COMPLETED,
  connect,
  item,
  lease,
  look,
  MINUTE,
  names,
  PAGE,
  RULES,
  runThrough,
  takeAll,
  takeOne,
} from './support.ts';

export const leaseContract = (opened: () => Promise<World>): void => {
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

  test('go on at once when another boot finds that theirs has ended', async () => {
    await using world = await opened();
    await connect(world);
    const first = await lease(world);
    expect(await world.ingest.takeOver('next')).toMatchObject({ runs: 1 });
    expect(await world.ingest.voidFormerLeases('next')).toMatchObject({ runs: 0 });
    expect(await look(world, first, names(2))).toBe(false);
    expect(await lease(world)).toMatchObject({ run: first.run, look: first.look });
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
    expect(await world.syncing.endWholeLook(lost, RULES)).toBe(false);
    expect(await takeOne(world, lost, wanted)).toBe(false);
    expect(await world.syncing.failItem(lost, wanted.id, { code: 'x', message: 'x', dueAt: null })).toBe(
      false,
    );
    expect(await world.syncing.endRun(lost, COMPLETED)).toBe(false);
    expect((await world.store.connections.counts(everything, [id])).get(id)).toEqual({ wanted: 1 });
    await world.store.connections.pause(everything, id);
    expect(await look(world, run, names(5))).toBe(false);
    expect((await world.store.connections.counts(everything, [id])).get(id)).toEqual({ wanted: 1 });
  });

  test('wait with all connections of an account that the source silenced', async () => {
    await using world = await opened();
    for (const id of ['one', 'two']) await connect(world, { id, account: 'ann' });
    await connect(world, { id: 'three', account: 'ben' });
    await connect(world, { id: 'four', provider: 'notion', account: 'ann' });
    await world.syncing.silence('one', world.clock.now() + MINUTE);
    expect([(await lease(world)).connection, (await lease(world)).connection].sort()).toEqual([
      'four',
      'three',
    ]);
    expect(await world.syncing.leaseRun(MINUTE)).toBeNull();
    expect(await world.syncing.nextRunAt()).toBe(world.clock.now() + MINUTE);
  });

  test('wait for the longer one of two silences, whichever run heard it', async () => {
    await using world = await opened();
    for (const id of ['one', 'two']) await connect(world, { id, account: 'ann' });
    const run = await lease(world);
    const longer = world.clock.now() + 10 * MINUTE;
    await world.syncing.silence('two', longer);
    const refusal = { errorCode: 'rate_limited', error: 'Slow down.', notBefore: world.clock.now() + MINUTE };
    await world.syncing.endRun(run, {
      ...COMPLETED,
      ...refusal,
      status: 'failed',
      nextLookAt: refusal.notBefore,
    });
    world.clock.pass(2 * MINUTE);
    expect(await world.syncing.leaseRun(MINUTE)).toBeNull();
    expect(await world.syncing.nextRunAt()).toBe(longer);
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

export const ledgerContract = (opened: () => Promise<World>): void => {
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
    await takeOne(world, run, old);
    const [document] = await world.list();
    expect(await world.syncing.wanted(run.connection, 1)).toMatchObject([{ mark: 'two', doc: document?.id }]);
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
    expect(await world.store.connections.items(everything, id, 'failed', PAGE)).toMatchObject([
      { id: 'note', error: 'note could not be read.' },
    ]);
    await look(world, run, [item('note', 'two')]);
    expect(await world.syncing.wanted(id, 1)).toMatchObject([{ id: 'note', attempts: 0 }]);
  });

  test('try an item again that was not there to be read, once the source shows it again', async () => {
    await using world = await opened();
    const id = await connect(world);
    const run = await lease(world);
    await look(world, run, [item('note')]);
    await world.syncing.failItem(run, 'note', { code: 'not_found', message: 'Away.', dueAt: null });
    expect(await world.syncing.wanted(id, 1)).toEqual([]);
    await look(world, run, [item('note')]);
    expect(await world.syncing.wanted(id, 1)).toMatchObject([{ id: 'note' }]);
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
    expect((await world.store.connections.counts(everything, [id])).get(id)).toEqual({
      wanted: 3,
      skipped: 1,
    });
    expect(await world.store.connections.runs(everything, id, 1)).toMatchObject([{ beyondLimit: 1 }]);
  });

  test('count an item once in a run, also when the run is interrupted and lists its source again', async () => {
    await using world = await opened();
    const id = await connect(world, { documentLimit: 3 });
    const listed = [...names(5), item('huge', 'one', { skip: { code: 'too_large', message: 'Large.' } })];
    const begin = async () => {
      const run = await lease(world);
      const page = { items: listed, cursor: null, begins: true };
      expect(await world.syncing.storePage(run, page, RULES, MINUTE)).toBe(true);
      return run;
    };
    const first = await begin();
    await takeAll(world, first);
    world.clock.pass(MINUTE + 1);
    expect(await begin()).toMatchObject({ run: first.run });
    expect(await world.store.connections.runs(everything, id, 1)).toMatchObject([
      { looked: 6, beyondLimit: 2, skipped: 1, added: 3 },
    ]);
  });
};
