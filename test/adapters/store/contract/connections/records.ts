// The records of connections: who sees and changes them, and their end.
import { expect, test } from 'vitest';
import { everything, only, type World } from '../world.ts';
import {
  COMPLETED,
  connect,
  item,
  lease,
  look,
  MINUTE,
  names,
  PAGE,
  runThrough,
  takeAll,
} from './support.ts';

export const recordContract = (opened: () => Promise<World>): void => {
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
      expect(await connections.remove(scope, id, false)).toBeNull();
    }
    expect(await connections.runs(foreign, id, 10)).toEqual([]);
    expect(await connections.items(foreign, id, 'taken', PAGE)).toEqual([]);
    expect(await connections.counts(foreign, [id])).toEqual(new Map());
    expect((await connections.counts(partly, [id])).get(id)).toEqual({ taken: 1 });
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

  test('end with their ledger, runs and secret, and with the documents that no other one holds', async () => {
    await using world = await opened();
    const id = await connect(world);
    await runThrough(world, names(2));
    await connect(world, { id: 'another' });
    const run = await lease(world);
    await look(world, run, [item('item-000')]);
    await takeAll(world, run);
    expect(await world.store.connections.remove(everything, id, false)).toBe(1);
    expect(await world.store.connections.remove(everything, id, false)).toBeNull();
    expect((await world.list()).map(({ customId, connection }) => [customId, connection])).toEqual([
      ['item-000', 'another'],
    ]);
    for (const table of ['connection_items', 'connection_secrets', 'sync_runs'])
      expect(await world.rows(`select * from ${table} where connection = '${id}'`)).toEqual([]);
  });

  test('leave their documents when asked to, and a new connection takes them over without reading them anew', async () => {
    await using world = await opened();
    const id = await connect(world);
    await runThrough(world, names(2));
    await world.index();
    const before = await world.list();
    expect(before.map(({ connection, source }) => [connection, source])).toEqual([
      [id, 's3'],
      [id, 's3'],
    ]);
    expect(await world.store.connections.remove(everything, id, true)).toBe(0);
    expect((await world.list()).map(({ connection }) => connection)).toEqual([null, null]);
    await connect(world, { id: 'again' });
    const run = await lease(world);
    await look(world, run, names(2));
    await takeAll(world, run);
    const after = await world.list();
    expect(after.map((one) => one.id).sort()).toEqual(before.map((one) => one.id).sort());
    expect(after.map(({ connection, step }) => [connection, step])).toEqual([
      ['again', 'done'],
      ['again', 'done'],
    ]);
    expect(await world.store.connections.runs(everything, 'again', 1)).toMatchObject([
      { unchanged: 2, added: 0 },
    ]);
  });
};
