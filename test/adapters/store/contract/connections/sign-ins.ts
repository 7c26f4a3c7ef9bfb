// Sign-ins under way: a state works once, for an hour, and for its source alone.
import { expect, test } from 'vitest';
import { everything, type World } from '../world.ts';
import { COMPLETED, connect, lease, MINUTE } from './support.ts';

const HOUR = 60 * MINUTE;

const begin = async (world: World, connection: string, hash: string): Promise<void> => {
  const endsAt = world.clock.now() + HOUR;
  await world.store.signIns.begin({ hash, connection, sealed: 'sealed-verifier', redirectUrl: null, endsAt });
};

export const signInContract = (opened: () => Promise<World>): void => {
  test('a state of a sign-in is taken once, and by its source alone', async () => {
    await using world = await opened();
    const id = await connect(world);
    const { signIns } = world.store;
    await begin(world, id, 'hash-1');
    expect(await signIns.take('hash-1', 'gmail')).toBeNull();
    expect(await signIns.take('unknown', 's3')).toBeNull();
    const both = await Promise.all([signIns.take('hash-1', 's3'), signIns.take('hash-1', 's3')]);
    expect(both.map((one) => one?.outcome).sort()).toEqual(['open', 'used']);
    expect(both[0]).toMatchObject({ sealed: 'sealed-verifier', redirectUrl: null, connection: { id } });
  });

  test('a state of a sign-in ends after its hour, and with its connection', async () => {
    await using world = await opened();
    const id = await connect(world);
    const { signIns, connections } = world.store;
    await begin(world, id, 'late');
    world.clock.pass(HOUR + 1);
    expect((await signIns.take('late', 's3'))?.outcome).toBe('expired');
    await begin(world, id, 'removed');
    await connections.remove(everything, id, false);
    expect(await signIns.take('removed', 's3')).toBeNull();
  });

  test('a sign-in that ended well makes the connection active, with its account and its secrets', async () => {
    await using world = await opened();
    const id = await connect(world);
    const signedIn = {
      sealed: 'sealed-tokens',
      account: '0815',
      email: 'ann@example.org',
      app: 'hash-of-app',
    };
    const grantEndsAt = world.clock.now() + HOUR;
    const { signIns, connections } = world.store;
    expect(await signIns.finish(id, { ...signedIn, grantEndsAt, state: 'active' })).toBe('finished');
    expect(await connections.get(everything, id)).toMatchObject({
      ...{ state: 'active', account: '0815', email: 'ann@example.org', grantEndsAt },
    });
    expect(await world.syncing.readSecrets(id)).toBe('sealed-tokens');
    expect(await signIns.finish('unknown', { ...signedIn, grantEndsAt, state: 'active' })).toBe('removed');
  });

  test('a run of the former sign-in, which the source refuses, does not sign out a new one', async () => {
    await using world = await opened();
    const id = await connect(world);
    const { signIns, connections } = world.store;
    const refused = { ...COMPLETED, status: 'failed' as const, errorCode: 'auth_expired', signedOut: true };
    const former = await lease(world);
    await signIns.finish(id, {
      ...{ sealed: 'sealed-tokens', account: '0815', email: 'ann@example.org', app: 'hash-of-app' },
      ...{ grantEndsAt: null, state: 'active' },
    });
    expect(await world.syncing.endRun(former, refused)).toBe(false);
    const next = await lease(world);
    expect(next).toMatchObject({ run: former.run, sealed: 'sealed-tokens', record: { state: 'active' } });
    await connections.change(everything, id, { sealed: 'sealed-key' });
    expect(await world.syncing.endRun(next, refused)).toBe(false);
    expect(await lease(world)).toMatchObject({ sealed: 'sealed-key', record: { state: 'active' } });
  });

  test('of two accounts that sign in at once one is that of the connection', async () => {
    await using world = await opened();
    const id = await connect(world);
    const { signIns, connections } = world.store;
    const rest = { app: 'hash-of-app', grantEndsAt: null, state: 'active' } as const;
    const finish = (account: string) =>
      signIns.finish(id, { ...rest, sealed: `tokens of ${account}`, account, email: null });
    expect((await Promise.all([finish('0815'), finish('4711')])).sort()).toEqual([
      'finished',
      'otherAccount',
    ]);
    const { account } = (await connections.get(everything, id)) ?? {};
    expect(await world.syncing.readSecrets(id)).toBe(`tokens of ${account}`);
    expect(await finish(String(account)), 'the same one again').toBe('finished');
  });
};
