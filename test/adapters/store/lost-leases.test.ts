// Tests of leases that did not reach the worker: a process that lives may not keep what it does not know of.
import { describe, expect, onTestFinished, test } from 'vitest';
import type { HooksEnd } from '../../../server/adapters/store/ports/connections/hooks.ts';
import { sha256 } from '../../../server/lib/hash.ts';
import type { CommandHandlers } from '../../../server/lib/threads/rpc.ts';
import { COMPLETED, connect, item, lease, look, MINUTE, RULES } from './contract/connections/support.ts';
import {
  everything,
  type OpenStore,
  openWorld,
  submission,
  WIDE_SHARE,
  type World,
} from './contract/world.ts';
import { migratedPostgres, openPostgres } from './open-postgres.ts';
import { openSqlite } from './open-sqlite.ts';
import { describeOnPostgres } from './postgres/with-postgres.ts';

type Fault = 'answer lost' | 'written twice' | 'not written';

const LEASES = /^lease/i;

/** The writer stores a write, and then its answer is lost, or the write is repeated because nobody knows that it was stored. */
const writesWithFaults = () => {
  let next: { fault: Fault; commands: RegExp } | null = null;
  const faulty = async (write: () => Promise<unknown>, fault: Fault): Promise<unknown> => {
    if (fault !== 'not written') await write();
    if (fault === 'written twice') return write();
    throw new Error('The connection was lost.');
  };
  return {
    between: <Commands extends CommandHandlers>(handlers: Commands): Commands =>
      Object.fromEntries(
        Object.entries(handlers).map(([name, handler]) => [
          name,
          (...args: never[]) => {
            const write = () => handler(...args);
            if (next === null || !next.commands.test(name)) return write();
            const { fault } = next;
            next = null;
            return faulty(write, fault);
          },
        ]),
      ) as unknown as Commands,
    fail(fault: Fault, commands = LEASES) {
      next = { fault, commands };
    },
  };
};

const openLosing = async (open: OpenStore) => {
  const { between, fail } = writesWithFaults();
  const world = await openWorld(open, { between });
  onTestFinished(() => world[Symbol.asyncDispose]());
  return { world, fail };
};

type Opened = () => ReturnType<typeof openLosing>;

const LOST = 'The connection was lost';

const documentTests = (opened: Opened): void => {
  const remembered = ({ remembering }: World) => remembering.claimToRemember(10);

  test('a document is claimed again after the answer to its lease was lost', async () => {
    const { world, fail } = await opened();
    await world.store.documents.submit(everything, [submission('An oak.'), submission('An elm.')]);
    fail('answer lost');
    await expect(world.ingest.claim('boot', WIDE_SHARE)).rejects.toThrow(LOST);
    const claims = await world.ingest.claim('boot', WIDE_SHARE);
    expect(claims.map(({ content }) => content).sort()).toEqual(['An elm.', 'An oak.']);
  });

  test('a lease that was written twice hands its documents over', async () => {
    const { world, fail } = await opened();
    await world.store.documents.submit(everything, [submission('An oak.')]);
    fail('written twice');
    expect(await world.ingest.claim('boot', WIDE_SHARE)).toHaveLength(1);
  });

  test('a document that another worker took meanwhile stays with that worker', async () => {
    const { world, fail } = await opened();
    await world.store.documents.submit(everything, [submission('An oak.')]);
    fail('answer lost');
    await expect(world.ingest.claim('boot', WIDE_SHARE)).rejects.toThrow();
    expect(await world.ingest.takeOver('next')).toMatchObject({ resumed: 1 });
    expect(await world.ingest.claim('next', WIDE_SHARE)).toHaveLength(1);
    expect(await world.ingest.claim('next', WIDE_SHARE)).toEqual([]);
  });

  test('a document is read for memories again after the answer to its lease was lost', async () => {
    const { world, fail } = await opened();
    await world.add('Anna lives in Graz.');
    await world.index();
    fail('answer lost');
    await expect(remembered(world)).rejects.toThrow(LOST);
    expect(await remembered(world)).toHaveLength(1);
  });
};

const runTests = (opened: Opened): void => {
  test('a connection runs again at once after the answer to its lease was lost, and that is one run', async () => {
    const { world, fail } = await opened();
    const id = await connect(world);
    fail('answer lost');
    await expect(world.syncing.leaseRun(MINUTE)).rejects.toThrow(LOST);
    const run = await lease(world);
    expect(await world.store.connections.runs(everything, id, 10)).toMatchObject([{ id: run.run }]);
    expect(await world.syncing.endRun(run, COMPLETED)).toBe(true);
  });

  test('a lease of a run that was written twice takes one connection, and no other one', async () => {
    const { world, fail } = await opened();
    for (const id of ['one', 'two']) await connect(world, { id });
    fail('written twice');
    const both = [await lease(world), await lease(world)];
    expect(both.map(({ connection }) => connection)).toEqual(['one', 'two']);
    for (const run of both) {
      expect(await world.store.connections.runs(everything, run.connection, 10)).toHaveLength(1);
      expect(await world.syncing.renew(run, MINUTE, {})).toBe(true);
    }
  });

  test('a connection that another process took meanwhile stays with that process', async () => {
    const { world, fail } = await opened();
    await connect(world);
    fail('answer lost');
    await expect(world.syncing.leaseRun(MINUTE)).rejects.toThrow();
    await world.meddle("update connections set lease = 'other~1'");
    expect(await world.syncing.leaseRun(MINUTE)).toBeNull();
    expect(await world.rows('select lease from connections')).toEqual([{ lease: 'other~1' }]);
  });

  test('a run whose end could not be stored goes on at once under its id', async () => {
    const { world, fail } = await opened();
    await connect(world);
    const run = await lease(world);
    fail('not written', /^endRun$/);
    await expect(world.syncing.endRun(run, COMPLETED)).rejects.toThrow(LOST);
    expect((await lease(world)).run).toBe(run.run);
  });
};

const BASE = 'https://memoir.example';
const QUIET: HooksEnd = { made: null, ended: [], dueAt: null, failed: false, problem: null };

/** A connection whose hooks are due. */
const synced = async (world: World, id: string): Promise<string> => {
  await connect(world, { id, app: `app-${id}` });
  const nextLookAt = world.clock.now() + 10 * MINUTE;
  await world.syncing.endRun(await lease(world), { ...COMPLETED, nextLookAt });
  return id;
};

const leaseHooks = async ({ hookDuty }: World) => {
  const held = await hookDuty.leaseHooks(MINUTE);
  if (held === null) throw new Error('No hooks are due.');
  return held;
};

const hookTests = (opened: Opened): void => {
  test('the hooks of a connection are kept at once after the answer to their lease was lost', async () => {
    const { world, fail } = await opened();
    const id = await synced(world, 'one');
    fail('answer lost');
    await expect(world.hookDuty.leaseHooks(MINUTE)).rejects.toThrow(LOST);
    const held = await leaseHooks(world);
    expect(held.connection).toBe(id);
    expect(await world.hookDuty.endHooks(held, QUIET)).toBe(true);
  });

  test('a lease of hooks that was written twice takes those of one connection, and no others', async () => {
    const { world, fail } = await opened();
    for (const id of ['one', 'two']) await synced(world, id);
    fail('written twice');
    const both = [await leaseHooks(world), await leaseHooks(world)];
    expect(both.map(({ connection }) => connection)).toEqual(['one', 'two']);
    for (const held of both) expect(await world.hookDuty.endHooks(held, QUIET)).toBe(true);
  });

  test('hooks whose end could not be stored are kept again at once', async () => {
    const { world, fail } = await opened();
    const id = await synced(world, 'one');
    const held = await leaseHooks(world);
    fail('not written', /^endHooks$/);
    await expect(world.hookDuty.endHooks(held, QUIET)).rejects.toThrow(LOST);
    expect((await leaseHooks(world)).connection).toBe(id);
  });

  test('a hook that was begun and ended twice is one hook, and its maker hears that it is stored', async () => {
    const { world, fail } = await opened();
    await synced(world, 'one');
    const held = await leaseHooks(world);
    fail('written twice', /^beginHook$/);
    expect(await world.hookDuty.beginHook(held, { tokenHash: 'hash', sealed: 'sealed', base: BASE })).toBe(
      true,
    );
    const made = { tokenHash: 'hash', endsAt: null, watches: [{ id: 'remote', endsAt: null }] };
    fail('written twice', /^endHooks$/);
    expect(await world.hookDuty.endHooks(held, { ...QUIET, made })).toBe(true);
    expect(await world.rows('select token_hash from connection_hooks')).toEqual([{ token_hash: 'hash' }]);
  });
};

const handMadeHookTests = (opened: Opened): void => {
  test('a secret of a hook whose write was repeated is taken, and a later one is not', async () => {
    const { world, fail } = await opened();
    const id = await connect(world);
    const { hooks } = world.store;
    await hooks.makeByHand(everything, id, { tokenHash: 'hash', sealed: 'nothing', base: BASE });
    fail('written twice', /^replaceHookSecret$/);
    expect(await hooks.replaceSecret('hash', 'nothing', 'first')).toBe(true);
    expect(await hooks.replaceSecret('hash', 'nothing', 'second')).toBe(false);
    expect(await hooks.secret('hash')).toBe('first');
  });
};

const farewellTests = (opened: Opened): void => {
  const removed = async (world: World, id: string): Promise<void> => {
    await world.store.connections.remove(everything, await synced(world, id), true);
  };

  test('a removed connection is ended at once after the answer to its lease was lost, and no attempt is counted for it', async () => {
    const { world, fail } = await opened();
    await removed(world, 'one');
    fail('answer lost');
    await expect(world.hookDuty.leaseFarewell(MINUTE)).rejects.toThrow(LOST);
    expect(await world.hookDuty.leaseFarewell(MINUTE)).toMatchObject({ id: 'one', attempts: 1 });
  });

  test('a lease of a removed connection that was written twice is one attempt, and takes no other one', async () => {
    const { world, fail } = await opened();
    for (const id of ['one', 'two']) await removed(world, id);
    fail('written twice');
    const farewell = await world.hookDuty.leaseFarewell(MINUTE);
    expect(farewell).toMatchObject({ id: 'one', attempts: 1 });
    expect(await world.hookDuty.leaseFarewell(MINUTE)).toMatchObject({ id: 'two', attempts: 1 });
    if (farewell !== null) await world.hookDuty.endFarewell(farewell, null);
    expect(await world.rows('select id from connection_farewells')).toEqual([{ id: 'two' }]);
  });

  test('a removed connection that another process took meanwhile stays with that process', async () => {
    const { world, fail } = await opened();
    await removed(world, 'one');
    fail('answer lost');
    await expect(world.hookDuty.leaseFarewell(MINUTE)).rejects.toThrow();
    await world.meddle("update connection_farewells set lease = 'other~1'");
    expect(await world.hookDuty.leaseFarewell(MINUTE)).toBeNull();
    expect(await world.rows('select lease, attempts from connection_farewells')).toEqual([
      { lease: 'other~1', attempts: 1 },
    ]);
  });
};

const mailTests = (opened: Opened): void => {
  const claiming = /^claimMail$/;
  const queued = async ({ store }: World, ...ids: string[]): Promise<void> => {
    for (const id of ids)
      await store.mails.queue({ id, kind: 'test', to: 'ada@example.org', content: { by: 'Ada' } });
  };

  test('a mail is sent at once after the answer to its lease was lost, and no attempt is counted for it', async () => {
    const { world, fail } = await opened();
    await queued(world, 'one');
    fail('answer lost', claiming);
    await expect(world.store.mails.claim(MINUTE)).rejects.toThrow(LOST);
    expect(await world.store.mails.claim(MINUTE)).toMatchObject({
      id: 'one',
      attempts: 1,
      content: { by: 'Ada' },
    });
    expect(await world.store.mails.claim(MINUTE)).toBeNull();
  });

  test('a lease of a mail that was written twice is one attempt, and takes no other mail', async () => {
    const { world, fail } = await opened();
    await queued(world, 'one', 'two');
    fail('written twice', claiming);
    expect(await world.store.mails.claim(MINUTE)).toMatchObject({ id: 'one', attempts: 1 });
    expect(await world.store.mails.claim(MINUTE)).toMatchObject({ id: 'two', attempts: 1 });
  });
};

const fileTests = (opened: Opened): void => {
  const fileNamed = (key: string) => ({
    ...{ key, name: 'plan.txt', mimeType: 'text/plain', bytes: 12, sha256: sha256(key), fileType: null },
  });
  const upload = (key: string) =>
    submission('', {
      customId: 'plan',
      file: fileNamed(key),
      hash: sha256(key),
      replace: true,
      heavy: true,
      type: 'file',
    });

  test('an upload that was written twice keeps its file, and the same content in another file does not', async () => {
    const { world, fail } = await opened();
    const { documents } = world.store;
    fail('written twice', /^submit/);
    expect(await documents.submit(everything, [upload('first')])).toMatchObject([{ stored: true }]);
    const again = { ...upload('second'), hash: sha256('first') };
    expect(await documents.submit(everything, [again])).toMatchObject([{ stored: false }]);
    expect(await world.rows('select key from files where doc is not null')).toEqual([{ key: 'first' }]);
  });

  test('an item of a connection whose take was written twice keeps its file', async () => {
    const { world, fail } = await opened();
    const id = await connect(world);
    const run = await lease(world);
    await look(world, run, [item('plan')]);
    const [wanted] = await world.syncing.wanted(id, 1);
    if (wanted === undefined) throw new Error('Nothing is wanted.');
    const description = { provider: 's3', title: 'Plan', url: null, filepath: '/plan', metadata: {} };
    const taken = {
      item: wanted,
      contentMark: null,
      submission: upload('first'),
      description,
      found: [],
      note: null,
    };
    fail('written twice', /^takeItem$/);
    expect(await world.syncing.take(run, taken, RULES)).toMatchObject({ stored: true });
  });
};

const lostLeases = (open: OpenStore): void => {
  const opened = () => openLosing(open);
  documentTests(opened);
  runTests(opened);
  hookTests(opened);
  handMadeHookTests(opened);
  farewellTests(opened);
  mailTests(opened);
  fileTests(opened);
};

describe('on SQLite', () => lostLeases(openSqlite));

await describeOnPostgres('on PostgreSQL', migratedPostgres, (postgres) => lostLeases(openPostgres(postgres)));
