// Tests of a whole Memoir on PostgreSQL: it starts on an empty database, keeps what it is told, and refuses what cannot work.
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { requireVersion } from '../../../server/adapters/store/postgres/opening/explain.ts';
import { VERSION } from '../../../server/core/version.ts';
import { describeOnPostgres } from '../../adapters/store/postgres/with-postgres.ts';
import { run as runCommand } from '../../cli/memoir-process.ts';
import { newDataFolder } from '../../support/data-folder.ts';
import { startMemoir } from '../../support/memoir.ts';
import { onPostgres } from '../../support/on-postgres.ts';
import type { TestPostgres } from '../../support/postgres.ts';
import { databaseRows } from '../../support/stored-rows.ts';
import { thrownBy } from '../../support/thrown.ts';
import { until } from '../../support/until.ts';

const changed = (url: string, change: (address: URL) => void): string => {
  const address = new URL(url);
  change(address);
  return address.href;
};

const refusal = async (env: Record<string, string>): Promise<string> =>
  (await thrownBy(() => startMemoir(env))).message;

const keepsItsContent = (postgres: TestPostgres): void =>
  test('what is added is found, and is still there after a restart with another data folder', async () => {
    const url = await postgres.take();
    const first = await startMemoir(onPostgres(url));
    const added = await first.add({ content: 'Ada keeps bees behind the mill.', containerTag: 'farm' });
    expect(added.status).toBe('done');
    await first.close();
    const second = await startMemoir(onPostgres(url));
    expect(second.key).toBe('');
    const found = await second.ask<{ results: { documentId: string }[] }>(
      'POST',
      '/v3/search',
      { q: 'who keeps bees', containerTags: ['farm'] },
      { key: first.key },
    );
    expect(found.body.results.map(({ documentId }) => documentId)).toEqual([added.id]);
    const health = await second.ask<{ parts: Record<string, { status: string; detail: string }> }>(
      ...(['GET', '/health', undefined, { key: first.key }] as const),
    );
    expect(health.body.parts.database).toMatchObject({ status: 'ok' });
    expect(health.body.parts.database?.detail).toMatch(
      /^PostgreSQL 1[5-9].* of the PostgreSQL at 127\.0\.0\.1/,
    );
    expect(JSON.stringify(health.body)).not.toContain(`:${new URL(url).password}@`);
    await second.close();
    await postgres.giveBack(url);
  });

const refusesAnotherVersion = (postgres: TestPostgres): void => {
  const enter = (id: string, seen: string, { version = '0', role = 'all' } = {}): string =>
    `insert into processes (id, place, version, role, seen_at)
      values ('${id}', 'process 1 on ${id}', '${version}', '${role}', ${seen})`;

  /** A process of another version, which says that it is alive until the end of the work. */
  const besideOther = async (
    url: string,
    other: { version: string; role: string },
    work: () => Promise<void>,
  ): Promise<void> => {
    await databaseRows(url, enter('other', 'clock_timestamp()', other));
    const alive = setInterval(() => {
      databaseRows(url, "update processes set seen_at = clock_timestamp() where id = 'other'").catch(
        () => undefined,
      );
    }, 100);
    await work().finally(() => clearInterval(alive));
  };

  test.each([
    ['a worker beside an older process that answers', { version: '0', role: 'api' }, 'worker'],
    ['a process that answers beside a newer worker', { version: '99.0.0', role: 'worker' }, 'api'],
  ])('%s is refused with both versions, and stores nothing', async (_name, other, role) => {
    const url = await postgres.take();
    await (await startMemoir(onPostgres(url))).close();
    await besideOther(url, other, async () => {
      const message = await refusal({ ...onPostgres(url), MEMOIR_ROLE: role });
      expect(message).toContain(
        `This is Memoir ${VERSION}, and a Memoir ${other.version} works on the same database (process 1 on other)`,
      );
      expect(await databaseRows(url, 'select id from processes')).toEqual([{ id: 'other' }]);
      expect(await databaseRows(url, 'select id from boots')).toEqual([]);
    });
    await postgres.giveBack(url);
  });

  test('the command beside a living process of another version ends at once, and says what to do', async () => {
    const url = await postgres.take();
    await (await startMemoir(onPostgres(url))).close();
    const cwd = newDataFolder('second');
    await besideOther(url, { version: '0', role: 'all' }, async () => {
      const { code, stderr } = await runCommand(['serve'], { cwd, env: { PORT: '0', ...onPostgres(url) } });
      expect(code).toBe(1);
      expect(stderr).toContain('stop all of the one version before you start the other');
    });
    rmSync(cwd, { recursive: true });
    await postgres.giveBack(url);
  });

  test('a process that slept while another version took its place stops its work with the reason', async () => {
    const url = await postgres.take();
    const reasons: string[] = [];
    const memoir = await startMemoir(onPostgres(url), { fatal: ({ message }) => reasons.push(message) });
    await besideOther(url, { version: '99.0.0', role: 'worker' }, async () => {
      await databaseRows(url, "delete from processes where id <> 'other'");
      await until('the reason', () => reasons.length > 0);
    });
    expect(reasons[0]).toContain('a Memoir 99.0.0 works on the same database (process 1 on other)');
    await memoir.close();
    await postgres.giveBack(url);
  });

  test('a migration is refused while another process works on the database', async () => {
    const url = await postgres.take();
    await (await startMemoir(onPostgres(url))).close();
    await databaseRows(url, 'delete from migrations where n = (select max(n) from migrations)');
    await databaseRows(url, enter('old', 'clock_timestamp()'));
    const message = await refusal(onPostgres(url));
    expect(message).toContain('another Memoir works on it (process 1 on old). Nothing was changed.');
    // The database lacks a migration now, so no other test gets it.
  });

  test('a process that was killed counts as ended when the clock of the database says so', async () => {
    const url = await postgres.take();
    await (await startMemoir(onPostgres(url))).close();
    await databaseRows(url, enter('gone', "clock_timestamp() - interval '13 seconds'"));
    const memoir = await startMemoir(onPostgres(url));
    expect((await memoir.ask('GET', '/health')).status).toBe(200);
    await memoir.close();
    await postgres.giveBack(url);
  });
};

const OTHER_KEY = 'another secret key for tests, long enough';

const refusesAnotherKey = (postgres: TestPostgres): void => {
  test('a start with another MEMOIR_SECRET_KEY than the last one is refused, also with a poor first key, and begins no work', async () => {
    const url = await postgres.take();
    await (await startMemoir(onPostgres(url))).close();
    const other = { ...onPostgres(url), MEMOIR_SECRET_KEY: OTHER_KEY };
    const rows = async () => [
      await databaseRows(url, 'select * from meta order by 1'),
      await databaseRows(url, 'select * from duties order by 1'),
    ];
    const before = await rows();
    expect(await refusal(other)).toContain('another key than that of MEMOIR_SECRET_KEY: the signing keys.');
    expect(await refusal({ ...onPostgres(url), MEMOIR_API_KEY: 'sm_aaaaaaaaaaaaaaaaaaaaa' })).toContain(
      'MEMOIR_API_KEY is too easy to guess',
    );
    expect(await rows()).toEqual(before);
    await postgres.giveBack(url);
  });

  test('a change of the key needs the same settings in all processes, and seals the signing keys anew', async () => {
    const url = await postgres.take();
    const first = await startMemoir(onPostgres(url));
    const changed = {
      ...onPostgres(url),
      MEMOIR_SECRET_KEY: OTHER_KEY,
      MEMOIR_SECRET_KEY_PREVIOUS: String(onPostgres(url).MEMOIR_SECRET_KEY),
    };
    await until('a process that told of itself', async () => {
      const [row] = await databaseRows(url, "select state like '%keyId%' as told from processes");
      return row?.told === true;
    });
    expect(await refusal(changed)).toContain(
      'MEMOIR_SECRET_KEY is another one here than in a process on the same database',
    );
    await first.close();
    const second = await startMemoir(changed);
    const { body } = await second.ask('POST', '/v3/secrets/rotate', undefined, { key: first.key });
    expect(body).toMatchObject({ keyChanged: false, sealed: 1, unreadable: [] });
    await second.close();
    const third = await startMemoir({ ...onPostgres(url), MEMOIR_SECRET_KEY: OTHER_KEY });
    await third.close();
    await postgres.giveBack(url);
  });

  test('the secrets of a lost key are given up by a command, and not beside a living process', async () => {
    const url = await postgres.take();
    const living = await startMemoir(onPostgres(url));
    const cwd = newDataFolder('forgetting');
    const env = { ...onPostgres(url), MEMOIR_SECRET_KEY: OTHER_KEY, MEMOIR_DATA_DIR: cwd };
    const refused = await runCommand(['secrets', 'forget'], { cwd, env });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('nothing was given up')]);
    await living.close();
    const given = await runCommand(['secrets', 'forget', '--json'], { cwd, env });
    expect(JSON.parse(given.stdout)).toEqual({ forgotten: ['the signing keys'] });
    await (await startMemoir({ ...onPostgres(url), MEMOIR_SECRET_KEY: OTHER_KEY })).close();
    rmSync(cwd, { recursive: true });
    await postgres.giveBack(url);
  });
};

const refusesWhatIsMissing = (postgres: TestPostgres): void => {
  test('a limit of connections that is reached during the start is refused with the setting that lowers them', async () => {
    const url = await postgres.take();
    await (await startMemoir(onPostgres(url))).close();
    await databaseRows(url, "create role few login password 'few' connection limit 2");
    await databaseRows(url, 'grant memoir_requests to few');
    await databaseRows(url, 'create database few owner few template template0');
    const few = changed(url, (address) => {
      [address.username, address.password, address.pathname] = ['few', 'few', '/few'];
    });
    const message = await refusal(onPostgres(few));
    expect(message).toContain('has no connection left. Lower MEMOIR_DATABASE_CONNECTIONS');
    await databaseRows(url, 'drop database few with (force)');
    await databaseRows(url, 'drop role few');
    await postgres.giveBack(url);
  });

  test('a wrong password is refused with the settings that hold it', async () => {
    const url = await postgres.take();
    const wrong = changed(url, (address) => {
      address.password = 'wrong';
    });
    const message = await refusal(onPostgres(wrong));
    expect(message).toContain('refused the user "postgres"');
    expect(message).toContain('MEMOIR_DATABASE_PASSWORD');
    expect(message).not.toContain('wrong');
    await postgres.giveBack(url);
  });

  test('a database that is not there is refused with the statement that makes it', async () => {
    const url = await postgres.take();
    const absent = changed(url, (address) => {
      address.pathname = '/absent';
    });
    expect(await refusal(onPostgres(absent))).toContain('create database "absent" template template0');
    await postgres.giveBack(url);
  });

  test('a server that does not answer is refused with its address', async () => {
    const message = await refusal(onPostgres('postgres://memoir@127.0.0.1:9/memoir'));
    expect(message).toContain('The PostgreSQL at 127.0.0.1:9 does not answer');
    expect(message).toContain('MEMOIR_DATABASE_URL');
  });

  test('a user without the right to create tables is refused with the statements that give it, and these help', async () => {
    const url = await postgres.take();
    const role = `plain_${process.pid}`;
    await databaseRows(
      url,
      `create role ${role} login password 'plain'; drop schema public cascade; create schema public; grant usage on schema public to public`,
    );
    await databaseRows(url, 'drop schema if exists memoir_requests cascade');
    const plain = changed(url, (address) => {
      address.username = role;
      address.password = 'plain';
    });
    const message = await refusal(onPostgres(plain));
    expect(message).toContain('may not create what Memoir needs');
    const statements = /run there: (.*); or name/.exec(message)?.[1]?.split('; ') ?? [];
    expect(statements).toHaveLength(4);
    // The role may be there already, because it belongs to the whole server.
    for (const statement of statements)
      await databaseRows(url, statement).catch((error) => expect(error.message).toContain('already exists'));
    const memoir = await startMemoir(onPostgres(plain));
    expect(memoir.key).toMatch(/^sm_/);
    await memoir.close();
    await databaseRows(url, 'drop schema public cascade; drop schema memoir_requests cascade');
    await databaseRows(url, `drop owned by ${role}`);
    await databaseRows(url, `drop role ${role}`);
  });
};

await describeOnPostgres('a Memoir on PostgreSQL', null, (postgres) => {
  keepsItsContent(postgres);
  refusesAnotherVersion(postgres);
  refusesAnotherKey(postgres);
  refusesWhatIsMissing(postgres);
});

test('a server older than 15 is refused with both versions', async () => {
  const { message } = await thrownBy(async () =>
    requireVersion(140_012, 'postgres://memoir@db.example/memoir'),
  );
  expect(message).toBe(
    'The PostgreSQL at db.example is version 14, and Memoir needs 15 or newer. Upgrade it, or name another server in MEMOIR_DATABASE_URL.',
  );
  expect(requireVersion(150_000, 'postgres://memoir@db.example/memoir')).toBeUndefined();
});
