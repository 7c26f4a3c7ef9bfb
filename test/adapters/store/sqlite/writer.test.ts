// Tests of the writer: one transaction for many writers, each with its own result.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WriteWork } from '../../../../server/adapters/store/engine/writer.ts';
import {
  openSqliteConnection,
  type SqliteConnection,
} from '../../../../server/adapters/store/sqlite/connection.ts';
import { kyselyOver } from '../../../../server/adapters/store/sqlite/dialect.ts';
import { createWriter } from '../../../../server/adapters/store/sqlite/writer.ts';
import { storageFault } from '../../../../server/lib/faults/storage-fault.ts';

let connection: SqliteConnection;
let executed: string[];

/** A real connection that records its statements. */
const watched = (real: SqliteConnection): SqliteConnection => ({
  ...real,
  exec(statement) {
    executed.push(statement);
    real.exec(statement);
  },
});

beforeEach(() => {
  executed = [];
  connection = watched(openSqliteConnection(':memory:'));
  connection.exec(`create table meta (key text primary key, value text not null);
    create table parents (id integer primary key);
    create table children (parent integer not null references parents (id) deferrable initially deferred);`);
  executed = [];
});

afterEach(() => connection.close());

const open = (options?: Parameters<typeof createWriter>[2]) =>
  createWriter(connection, kyselyOver(connection), { now: () => 0, ...options });

const put =
  (key: string): WriteWork<string> =>
  async (tx) => {
    await tx.insertInto('meta').values({ key, value: key }).execute();
    return key;
  };

const breakAfter =
  (key: string): WriteWork<never> =>
  async (tx) => {
    await put(key)(tx);
    throw new Error(`${key} broke`);
  };

const stored = () =>
  connection
    .prepare('select key from meta order by key')
    .all([])
    .map((row) => row.key);

const commits = () => executed.filter((statement) => statement === 'commit').length;

test('a full disk fails every writer of a commit with its own reason, and the next good write is told', async () => {
  const outcomes: (string | null)[] = [];
  const writer = open({ wrote: (error) => outcomes.push(storageFault(error)) });
  const large: WriteWork<string> = async (tx) => put('x'.repeat(400_000))(tx);
  connection.exec('pragma max_page_count = 20');
  const failed = await Promise.allSettled([writer.write(large), writer.write(large)]);
  expect(failed.map((one) => storageFault(one.status === 'rejected' ? one.reason : null))).toEqual([
    'full',
    'full',
  ]);
  await writer.write(async () => 'nothing');
  await writer.idle();
  expect(outcomes).not.toContain(null);
  connection.exec('pragma max_page_count = 10000');
  await writer.write(put('small'));
  await writer.idle();
  expect([outcomes[0], outcomes.at(-1)]).toEqual(['full', null]);
  expect(stored()).toEqual(['small']);
});

test('writes wait while a pause lasts, and follow it', async () => {
  const writer = open();
  const { promise, resolve } = Promise.withResolvers<void>();
  const paused = writer.pause(() => promise);
  const write = writer.write(put('later'));
  expect(stored()).toEqual([]);
  resolve();
  await paused;
  await write;
  expect(stored()).toEqual(['later']);
});

test('many writers share one commit and each gets its own answer', async () => {
  const writer = open();
  const keys = Array.from({ length: 50 }, (_, at) => `k${String(at).padStart(2, '0')}`);
  expect(await Promise.all(keys.map((key) => writer.write(put(key))))).toEqual(keys);
  expect(stored()).toEqual(keys);
  expect(commits()).toBe(1);
});

test('without group commit each writer has a commit of its own', async () => {
  const writer = open({ groupCommit: false });
  await Promise.all(['a', 'b', 'c'].map((key) => writer.write(put(key))));
  expect(commits()).toBe(3);
});

test('a writer that fails undoes its own changes and no others', async () => {
  const writer = open();
  const outcomes = await Promise.allSettled([
    writer.write(put('a')),
    writer.write(breakAfter('b')),
    writer.write(put('c')),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  await expect(writer.write(breakAfter('d'))).rejects.toThrow('d broke');
  expect(stored()).toEqual(['a', 'c']);
});

test('writers pay for a savepoint only when one of them fails', async () => {
  const writer = open();
  const savepoints = () => executed.filter((statement) => statement.startsWith('savepoint')).length;
  await Promise.all(['a', 'b', 'c'].map((key) => writer.write(put(key))));
  expect(savepoints()).toBe(0);
  await Promise.allSettled([writer.write(put('d')), writer.write(breakAfter('e')), writer.write(put('f'))]);
  expect(savepoints()).toBe(3);
  expect(stored()).toEqual(['a', 'b', 'c', 'd', 'f']);
});

test('a writer that breaks a rule of the database fails alone as well', async () => {
  const writer = open();
  await writer.write(put('a'));
  const outcomes = await Promise.allSettled([writer.write(put('a')), writer.write(put('b'))]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(stored()).toEqual(['a', 'b']);
});

test('no writer succeeds when the commit fails, and the next writer starts afresh', async () => {
  const writer = open();
  connection.exec('pragma foreign_keys = on');
  const orphan: WriteWork<void> = async () => connection.exec('insert into children values (7)');
  const outcomes = await Promise.allSettled([
    writer.write(put('a')),
    writer.write(orphan),
    writer.write(put('b')),
  ]);
  expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : 'ok'))).toEqual(
    Array(3).fill(expect.stringContaining('FOREIGN KEY')),
  );
  expect(stored()).toEqual([]);
  expect(await writer.write(put('c'))).toBe('c');
  expect(stored()).toEqual(['c']);
});

test('every writer gets the error when the database aborts the transaction, and the next one works', async () => {
  const writer = open();
  const outcomes = await Promise.allSettled([
    writer.write(put('a')),
    writer.write(async () => connection.exec("insert or rollback into meta values ('a', 'twice')")),
    writer.write(put('b')),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
  expect(await writer.write(put('c'))).toBe('c');
  expect(stored()).toEqual(['c']);
});

test('a failed writer gets its own error, whatever happened to the transaction', async () => {
  const writer = open();
  const breaking = writer.write(async () => {
    connection.exec('rollback');
    throw new Error('my own words');
  });
  const outcomes = await Promise.allSettled([breaking, writer.write(put('b'))]);
  expect(outcomes[0]).toMatchObject({ reason: { message: 'my own words' } });
});

test('requests go ahead of ingestion that waited longer', async () => {
  const writer = open();
  const order: string[] = [];
  const note = (name: string) => async () => void order.push(name);
  await Promise.all([
    writer.write(note('ingest 1'), 'ingest'),
    writer.write(note('ingest 2'), 'ingest'),
    writer.write(note('request 1')),
    writer.write(note('request 2')),
  ]);
  expect(order).toEqual(['request 1', 'request 2', 'ingest 1', 'ingest 2']);
});

test('a request that comes while ingestion is queued waits for one piece of it only', async () => {
  const writer = open();
  const order: string[] = [];
  const note = (name: string) => async () => void order.push(name);
  const slices = Array.from({ length: 20 }, (_, at) => writer.write(note(`slice ${at}`), 'ingest'));
  await slices[2];
  await writer.write(note('request'));
  expect(order.indexOf('request')).toBeLessThanOrEqual(4);
  await Promise.all(slices);
});

test('a change of a key goes ahead of requests and ingestion that waited longer', async () => {
  const writer = open();
  const order: string[] = [];
  const note = (name: string) => async () => void order.push(name);
  await Promise.all([
    writer.write(note('ingest'), 'ingest'),
    writer.write(note('request')),
    writer.write(note('key'), 'access'),
  ]);
  expect(order).toEqual(['key', 'request', 'ingest']);
});

test('a change of a key waits for one transaction at most, however many writes are queued', async () => {
  const writer = open();
  const order: string[] = [];
  let key: Promise<void> | undefined;
  const revoke = () => writer.write(async () => void order.push('key'), 'access');
  const requests = Array.from({ length: 1000 }, (_, at) =>
    writer.write(async () => {
      order.push(`request ${at}`);
      if (at === 10) key = revoke();
    }),
  );
  const slices = Array.from({ length: 100 }, (_, at) =>
    writer.write(async () => void order.push(`slice ${at}`), 'ingest'),
  );
  await requests[10];
  await key;
  const before = order.slice(0, order.indexOf('key'));
  expect(before.length).toBeLessThanOrEqual(256);
  expect(before.filter((name) => name.startsWith('slice'))).toEqual([]);
  await Promise.all([...requests, ...slices]);
});

test('a transaction takes no further request after ten milliseconds of work', async () => {
  let now = 0;
  const writer = open({ now: () => now });
  const requests = Array.from({ length: 10 }, (_, at) =>
    writer.write(async (tx) => {
      await put(`k${at}`)(tx);
      now += 4;
    }),
  );
  await Promise.all(requests);
  expect(commits()).toBe(4);
  expect(stored()).toHaveLength(10);
});

test('neither does one whose first request failed', async () => {
  let now = 0;
  const writer = open({ now: () => now });
  const failing: WriteWork<never> = async () => {
    now += 11;
    throw new Error('It broke.');
  };
  await Promise.allSettled([writer.write(failing), writer.write(put('a'))]);
  expect(commits()).toBe(2);
  expect(stored()).toEqual(['a']);
});

test('ingestion goes on while requests keep coming', async () => {
  const writer = open();
  let ingested = false;
  const done = writer
    .write(async () => undefined, 'ingest')
    .then(() => {
      ingested = true;
    });
  for (let round = 0; round < 20 && !ingested; round++) await writer.write(put(`r${round}`));
  expect(ingested).toBe(true);
  await done;
});

describe('a repeatable write', () => {
  const disk = () => executed.filter((statement) => /synchronous|commit/.test(statement));
  const unsynced = ['pragma synchronous = normal', 'commit', 'pragma synchronous = full'];

  test('does not wait for the disk, and the next other write does', async () => {
    const writer = open({ now: () => 0 });
    await writer.write(put('a'));
    await writer.write(put('b'), 'repeatable');
    await writer.write(put('c'), 'ingest');
    expect(stored()).toEqual(['a', 'b', 'c']);
    expect(disk()).toEqual(['commit', ...unsynced, 'commit']);
  });

  test('keeps the durability of the others when it fails', async () => {
    const writer = open({ now: () => 0 });
    await writer.write(put('a'));
    await expect(writer.write(breakAfter('b'), 'repeatable')).rejects.toThrow('b broke');
    await writer.idle();
    expect(connection.prepare('pragma synchronous').all([])[0]?.synchronous).toBe(2);
  });

  test('waits for the disk every tenth of a second', async () => {
    let now = 0;
    const writer = open({ now: () => now });
    for (now of [0, 40, 80, 120, 160]) await writer.write(put(`at ${now}`), 'repeatable');
    await writer.idle();
    expect(disk()).toEqual(['commit', ...unsynced, ...unsynced, 'commit', ...unsynced]);
  });
});

test('several requests at once mark the writer as crowded, and for a moment after', async () => {
  let now = 0;
  const writer = open({ now: () => now });
  await Promise.all(['a', 'b', 'c'].map((key) => writer.write(put(key))));
  expect(writer.crowded()).toBe(false);
  await Promise.all(['d', 'e', 'f', 'g'].map((key) => writer.write(put(key))));
  expect(writer.crowded()).toBe(true);
  now = 60;
  expect(writer.crowded()).toBe(false);
});

test('idle waits until nothing is queued', async () => {
  const writer = open();
  await writer.idle();
  let written = 0;
  const writes = Array.from({ length: 5 }, () => writer.write(async () => void written++, 'ingest'));
  await writer.idle();
  expect(written).toBe(5);
  await Promise.all(writes);
});
