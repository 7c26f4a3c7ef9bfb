// Webhooks: heard once, with few looks for many deliveries, kept by one process at a time, and ended after a removal.
import { expect, test } from 'vitest';
import type { ConnectionRecord } from '../../../../../server/adapters/store/ports/connections/connections.ts';
import type { HooksEnd } from '../../../../../server/adapters/store/ports/connections/hooks.ts';
import { everything, only, type World } from '../world.ts';
import { COMPLETED, connect, lease, MINUTE } from './support.ts';

const BASE = 'https://memoir.example';
const WEEK = 7 * 24 * 60 * MINUTE;
const QUIET: HooksEnd = { made: null, ended: [], dueAt: null, failed: false, problem: null };

const firstSync = async (world: World, more: Parameters<typeof connect>[1] = {}): Promise<string> => {
  const id = await connect(world, more);
  await world.syncing.endRun(await lease(world), {
    ...COMPLETED,
    nextLookAt: world.clock.now() + 10 * MINUTE,
  });
  return id;
};

/** Of the connection that is due. */
const makeHook = async ({ hookDuty, clock }: World, tokenHash: string): Promise<void> => {
  const held = await hookDuty.leaseHooks(MINUTE);
  if (held === null) throw new Error('No hooks are due.');
  await hookDuty.beginHook(held, { tokenHash, sealed: `sealed-${tokenHash}`, base: BASE });
  const endsAt = clock.now() + WEEK;
  await hookDuty.endHooks(held, {
    ...QUIET,
    made: { tokenHash, endsAt, watches: [{ id: `remote-${tokenHash}`, endsAt }] },
    ended: held.hooks.map((hook) => hook.tokenHash),
    dueAt: clock.now() + WEEK / 2,
  });
};

const read = async (world: World, id: string): Promise<ConnectionRecord> => {
  const record = await world.store.connections.get(everything, id);
  if (record === null) throw new Error(`There is no connection ${id}.`);
  return record;
};

const hear = (world: World, delivery: string | null, tokenHash = 'one') =>
  world.store.hooks.heard({ tokenHash, provider: 's3', delivery, wakes: true });

const deliveryContract = (opened: () => Promise<World>): void => {
  test('a delivery makes its connection look at once, and a repeated one does nothing', async () => {
    await using world = await opened();
    const id = await firstSync(world);
    await makeHook(world, 'one');
    const { hooks } = world.store;
    expect(await hooks.find('one')).toMatchObject({ connection: id, provider: 's3' });
    expect(await hooks.secret('one')).toBe('sealed-one');
    expect(await hooks.find('two')).toBeNull();
    expect(await world.syncing.leaseRun(MINUTE)).toBeNull();
    expect(await hear(world, 'd-1')).toBe(true);
    const run = await lease(world);
    await world.syncing.endRun(run, { ...COMPLETED, nextLookAt: world.clock.now() + 10 * MINUTE });
    expect(await world.store.connections.runs(everything, id, 1)).toMatchObject([{ trigger: 'event' }]);
    world.clock.pass(2 * MINUTE);
    expect(await hear(world, 'd-1')).toBe(false);
    expect(await world.syncing.leaseRun(MINUTE)).toBeNull();
    expect((await read(world, id)).watch).toMatchObject({ made: true, problem: null });
  });

  test('many deliveries within a minute lead to two looks, the second one after that minute', async () => {
    await using world = await opened();
    const id = await firstSync(world);
    await makeHook(world, 'one');
    const later = world.clock.now() + 10 * MINUTE;
    let runs = 0;
    for (let n = 0; n < 60; n++) {
      await hear(world, `d-${n}`);
      const run = await world.syncing.leaseRun(MINUTE);
      if (run !== null) {
        runs += 1;
        // One comes while the look is under way: it may have passed what changed.
        await hear(world, `during-${n}`);
        await world.syncing.endRun(run, { ...COMPLETED, nextLookAt: later });
      }
      world.clock.pass(990);
    }
    expect(runs).toBe(1);
    world.clock.pass(MINUTE);
    await world.syncing.endRun(await lease(world), { ...COMPLETED, nextLookAt: later });
    expect(await world.syncing.leaseRun(MINUTE)).toBeNull();
    const all = await world.store.connections.runs(everything, id, 10);
    expect(all.map(({ trigger }) => trigger)).toEqual(['event', 'event', 'cron']);
  });

  test('a hook is not found while its connection is paused, signed out or removed', async () => {
    await using world = await opened();
    const id = await firstSync(world);
    await makeHook(world, 'one');
    const { connections, hooks } = world.store;
    await connections.pause(everything, id);
    expect(await hooks.find('one')).toBeNull();
    await connections.resume(everything, id);
    expect(await hooks.find('one')).not.toBeNull();
    const signedOut = { ...COMPLETED, status: 'failed' as const, signedOut: true };
    await world.syncing.endRun(await lease(world), signedOut);
    expect(await hooks.find('one')).toBeNull();
    expect(await connections.resume(everything, id)).toBe(false);
    await connections.change(everything, id, { sealed: 'new-secret' });
    expect(await read(world, id)).toMatchObject({ state: 'active' });
    await connections.remove(everything, id, false);
    expect(await hooks.find('one')).toBeNull();
  });

  test('hooks that people make are those of an application, so all its connections look', async () => {
    await using world = await opened();
    const apps = { app: 'app-1', account: 'ann' };
    const [told, same] = [await firstSync(world, apps), await firstSync(world, { ...apps, id: 'same-app' })];
    const other = await firstSync(world, { id: 'other-app', app: 'app-2' });
    const { hooks, connections } = world.store;
    const hook = { tokenHash: 'by-hand', sealed: 'nothing', base: BASE };
    expect(await hooks.makeByHand(only('c'), told, hook)).toBe(false);
    expect(await hooks.makeByHand(everything, told, hook)).toBe(true);
    expect(await hooks.byHand(only('c'), told)).toBeNull();
    expect(await hooks.replaceSecret('by-hand', 'nothing', 'first')).toBe(true);
    expect(await hooks.replaceSecret('by-hand', 'nothing', 'second')).toBe(false);
    expect(await hooks.byHand(everything, told)).toMatchObject({ sealed: 'first', byHand: true });
    await hear(world, 'd-1', 'by-hand');
    const looking = [await lease(world), await lease(world)].map(({ connection }) => connection);
    expect(looking.sort()).toEqual([told, same].sort());
    expect(await world.syncing.leaseRun(MINUTE)).toBeNull();
    expect((await connections.get(everything, other))?.watch.made).toBe(false);
  });
};

const dutyContract = (opened: () => Promise<World>): void => {
  test('hooks are due after the first sync, for one process at a time, and again before they end', async () => {
    await using world = await opened();
    const id = await connect(world);
    const { hookDuty, syncing, clock } = world;
    expect(await hookDuty.leaseHooks(MINUTE)).toBeNull();
    const run = await lease(world);
    expect(await hookDuty.leaseHooks(MINUTE)).toBeNull();
    await syncing.endRun(run, COMPLETED);
    const both = await Promise.all([hookDuty.leaseHooks(MINUTE), hookDuty.leaseHooks(MINUTE)]);
    const [held, ...others] = both.filter((one) => one !== null);
    expect([held?.connection, held?.sealed, others]).toEqual([id, 'sealed-secret', []]);
    if (held === undefined) return;
    // A delivery that comes now waits for the lease.
    await hookDuty.beginHook(held, { tokenHash: 'one', sealed: 's', base: BASE });
    expect((await read(world, id)).watch.made).toBe(false);
    await hear(world, null);
    expect(await syncing.leaseRun(MINUTE)).toBeNull();
    const endsAt = clock.now() + WEEK;
    const made = { tokenHash: 'one', endsAt, watches: [{ id: 'remote', endsAt, how: { name: 'x' } }] };
    expect(await hookDuty.endHooks(held, { ...QUIET, made, dueAt: clock.now() + WEEK / 2 })).toBe(true);
    expect((await read(world, id)).watch).toEqual({
      made: true,
      heardAt: clock.now(),
      endsAt,
      problem: null,
    });
    expect(await hookDuty.endHooks(held, QUIET)).toBe(false);
    await syncing.endRun(await lease(world), COMPLETED);
    expect(await hookDuty.leaseHooks(MINUTE)).toBeNull();
    clock.pass(WEEK / 2);
    const renewing = await hookDuty.leaseHooks(MINUTE);
    expect(renewing?.hooks).toMatchObject([{ tokenHash: 'one', watches: made.watches, byHand: false }]);
  });

  test('a failure is counted and said, another address of the server makes all due, and old hooks are forgotten', async () => {
    await using world = await opened();
    const id = await firstSync(world);
    const { hookDuty, clock } = world;
    const held = await hookDuty.leaseHooks(MINUTE);
    if (held === null) throw new Error('No hooks are due.');
    await hookDuty.endHooks(held, { ...QUIET, failed: true, problem: 'It refuses.', dueAt: null });
    expect((await read(world, id)).watch).toMatchObject({ made: false, problem: 'It refuses.' });
    expect(await hookDuty.leaseHooks(MINUTE)).toBeNull();
    await hookDuty.noteHookBase(BASE);
    const again = await hookDuty.leaseHooks(MINUTE);
    expect(again?.failures).toBe(1);
    if (again !== null) await hookDuty.endHooks(again, { ...QUIET, dueAt: clock.now() });
    await makeHook(world, 'one');
    await hookDuty.noteHookBase(BASE);
    expect(await hookDuty.leaseHooks(MINUTE)).toBeNull();
    await hookDuty.noteHookBase(null);
    expect((await hookDuty.leaseHooks(MINUTE))?.connection).toBe(id);
    await hear(world, 'd-1');
    clock.pass(WEEK + 1);
    await hookDuty.forgetOldHooks();
    expect(await world.rows('select * from connection_hooks')).toEqual([]);
    expect(await world.rows('select * from hook_deliveries')).toEqual([]);
  });

  test('a paused connection is due as long as it has hooks', async () => {
    await using world = await opened();
    const id = await firstSync(world);
    await makeHook(world, 'one');
    await world.store.connections.pause(everything, id);
    const held = await world.hookDuty.leaseHooks(MINUTE);
    expect(held?.record.state).toBe('paused');
    if (held === null) return;
    await world.hookDuty.endHooks(held, { ...QUIET, ended: ['one'] });
    await world.store.connections.pause(everything, id);
    expect(await world.hookDuty.leaseHooks(MINUTE)).toBeNull();
  });

  test('a connection that is resumed while its hooks end is due again after the look', async () => {
    await using world = await opened();
    const id = await firstSync(world);
    await makeHook(world, 'one');
    await world.store.connections.pause(everything, id);
    const held = await world.hookDuty.leaseHooks(MINUTE);
    if (held === null) throw new Error('No hooks are due.');
    world.clock.pass(5);
    await world.store.connections.resume(everything, id);
    await world.hookDuty.endHooks(held, { ...QUIET, ended: ['one'] });
    await world.syncing.endRun(await lease(world), {
      ...COMPLETED,
      nextLookAt: world.clock.now() + 10 * MINUTE,
    });
    const again = await world.hookDuty.leaseHooks(MINUTE);
    expect([again?.connection, again?.record.state, again?.hooks]).toEqual([id, 'active', []]);
  });
};

const farewellContract = (opened: () => Promise<World>): void => {
  test('what a removed connection has at its source is ended once, and its secret is erased then', async () => {
    await using world = await opened();
    const id = await firstSync(world, { app: 'app-1', account: 'ann', email: 'ann@example.org' });
    await makeHook(world, 'one');
    await world.store.connections.remove(everything, id, true);
    expect(await world.rows('select * from connections')).toEqual([]);
    expect(await world.rows('select * from connection_secrets')).toEqual([]);
    const both = [await world.hookDuty.leaseFarewell(MINUTE), await world.hookDuty.leaseFarewell(MINUTE)];
    const [farewell] = both;
    expect(both[1]).toBeNull();
    expect(farewell).toMatchObject({
      ...{ id, provider: 's3', sealed: 'sealed-secret', revokes: true, attempts: 1 },
      watches: [{ id: 'remote-one' }],
    });
    if (farewell == null) return;
    // The run that was under way renews its tokens.
    await world.syncing.storeSecrets(id, 'renewed');
    expect(await world.rows('select * from connection_secrets')).toEqual([]);
    await world.hookDuty.endFarewell(farewell, world.clock.now() + MINUTE);
    expect(await world.hookDuty.leaseFarewell(MINUTE)).toBeNull();
    world.clock.pass(MINUTE);
    const again = await world.hookDuty.leaseFarewell(MINUTE);
    expect(again).toMatchObject({ sealed: 'renewed', attempts: 2 });
    if (again !== null) await world.hookDuty.endFarewell(again, null);
    expect(await world.rows('select * from connection_farewells')).toEqual([]);
  });

  test('an access that another connection uses lasts, and a connection without any leaves no secret', async () => {
    await using world = await opened();
    const apps = { app: 'app-1', account: 'ann', email: 'ann@example.org' };
    const first = await firstSync(world, apps);
    const second = await firstSync(world, { ...apps, id: 'mail', account: 'other', provider: 'gmail' });
    const plain = await firstSync(world, { id: 'plain' });
    const { connections } = world.store;
    await connections.remove(everything, plain, false);
    expect(await world.rows('select * from connection_farewells')).toEqual([]);
    await connections.remove(everything, first, false);
    expect(await world.hookDuty.leaseFarewell(MINUTE)).toMatchObject({ id: first, revokes: false });
    await connections.remove(everything, second, false);
    expect(await world.hookDuty.leaseFarewell(MINUTE)).toMatchObject({ id: second, revokes: true });
  });
};

const secretContract = (opened: () => Promise<World>): void => {
  test('secrets of connections, of their hooks and of removed ones are listed for another key, and replaced once', async () => {
    await using world = await opened();
    const removed = await firstSync(world, { id: 'removed', app: 'app-1', account: 'ann' });
    await world.store.connections.remove(everything, removed, false);
    const id = await firstSync(world);
    await makeHook(world, 'one');
    const { secrets } = world.store;
    const all = [];
    for (const of of ['connection', 'hook', 'farewell'] as const)
      all.push(...(await secrets.ofConnections(of, '', 10)));
    expect(all).toEqual([
      { of: 'connection', id, sealed: 'sealed-secret' },
      { of: 'hook', id: 'one', sealed: 'sealed-one' },
      { of: 'farewell', id: removed, sealed: 'sealed-secret' },
    ]);
    for (const secret of all) {
      expect(await secrets.ofConnections(secret.of as 'hook', secret.id, 10)).toEqual([]);
      expect(await secrets.replace(secret, 'anew')).toBe(true);
      expect(await secrets.replace(secret, 'once more')).toBe(false);
    }
    expect(await world.store.hooks.secret('one')).toBe('anew');
  });
};

export const hookContract = (opened: () => Promise<World>): void => {
  deliveryContract(opened);
  dutyContract(opened);
  farewellContract(opened);
  secretContract(opened);
};
