// Tests of several processes on one PostgreSQL: what one stores another reads, and what one ends is ended everywhere.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { openPool } from '../../../server/adapters/store/postgres/connection.ts';
import { createServedReader } from '../../../server/adapters/store/postgres/processes/served.ts';
import { migratedPostgres } from '../../adapters/store/open-postgres.ts';
import { describeOnPostgres } from '../../adapters/store/postgres/with-postgres.ts';
import { run } from '../../cli/memoir-process.ts';
import { start as startProcess } from '../../crash/server.ts';
import { startFakeBucket } from '../../fakes/s3.ts';
import { fileOf, postForm } from '../../rest/support/upload.ts';
import { startBucketServer } from '../../support/buckets/bucket-server.ts';
import { newDataFolder } from '../../support/data-folder.ts';
import { type OwnMemoir, startMemoir } from '../../support/memoir.ts';
import { onPostgres } from '../../support/on-postgres.ts';
import type { TestPostgres } from '../../support/postgres.ts';
import { databaseRows } from '../../support/stored-rows.ts';
import { found, until } from '../../support/until.ts';

const start = (url: string, role: string): Promise<OwnMemoir> =>
  startMemoir({ ...onPostgres(url), MEMOIR_ROLE: role });

const addTo = async ({ ask }: OwnMemoir, key: string, content: string): Promise<string> => {
  const { status, body } = await ask<{ id: string }>(
    ...(['POST', '/v3/documents', { content, containerTag: 'farm' }, { key }] as const),
  );
  expect(status).toBe(200);
  return body.id;
};

const statusAt = async ({ ask }: OwnMemoir, key: string, id: string): Promise<unknown> =>
  (await ask('GET', `/v3/documents/${id}`, undefined, { key })).body.status;

const sharesTheWork = (postgres: TestPostgres): void => {
  test('a process that answers stores, a worker reads, and the health of each names both', async () => {
    const url = await postgres.take();
    const api = await start(url, 'api');
    const id = await addTo(api, api.key, 'Ada keeps bees behind the mill.');
    expect(await statusAt(api, api.key, id)).toBe('queued');
    const alone = await api.ask('GET', '/health', undefined, { key: api.key });
    expect(alone.body.parts).toMatchObject({
      processes: { status: 'degraded', detail: expect.stringContaining('start one with --role worker') },
    });
    const worker = await start(url, 'worker');
    await until('the document', async () => (await statusAt(api, api.key, id)) === 'done');
    const search = { q: 'who keeps bees', containerTags: ['farm'] };
    const { body } = await api.ask<{ results: { documentId: string }[] }>('POST', '/v3/search', search);
    expect(body.results.map(({ documentId }) => documentId)).toEqual([id]);
    await until('a health that names both', async () => {
      const health = await worker.ask<{ parts?: Record<string, { status: string; detail: string }> }>(
        ...(['GET', '/health', undefined, { key: api.key }] as const),
      );
      const processes = health.body.parts?.processes;
      return (
        processes?.status === 'ok' &&
        /api: process \d+ on .*worker|worker: .*api: process/.test(processes.detail)
      );
    });
    const compacting = await api.ask('POST', '/v3/storage/compact', {});
    expect(compacting).toMatchObject({
      status: 202,
      body: { compacting: null, trouble: null, elsewhere: true },
    });
    const command = await run(['compact', '--url', api.url, '--api-key', api.key], { cwd: newDataFolder() });
    expect([command.code, command.stdout]).toEqual([0, expect.stringContaining('Asked the workers')]);
    expect(compacting.body.bytes).toBeGreaterThan(1_000_000);
    const refused = await worker.ask('POST', '/v3/search', search, { key: api.key });
    expect(refused.status).toBe(404);
    expect(refused.body.error).toContain('This process is a worker');
    await worker.close();
    await api.close();
    await postgres.giveBack(url);
  });

  test('the documents of a worker that ended are read when its lease has ended by the clock of the database', async () => {
    const url = await postgres.take();
    const api = await start(url, 'api');
    const id = await addTo(api, api.key, 'Ada keeps bees behind the mill.');
    await databaseRows(
      url,
      `insert into boots values ('gone', 'gone', clock_timestamp() + interval '3 seconds');
      update documents set lease = 'gone', lease_boot = 'gone', step = 'extracting'`,
    );
    const worker = await start(url, 'worker');
    const free = `select until < clock_timestamp() as is from boots where id = 'gone'`;
    await until('the document', async () => (await statusAt(api, api.key, id)) === 'done');
    expect(await databaseRows(url, free)).toEqual([{ is: true }]);
    expect(await databaseRows(url, 'select crashes from documents')).toEqual([{ crashes: 0 }]);
    await worker.close();
    await api.close();
    await postgres.giveBack(url);
  });

  test('one worker at a time keeps the index, and another follows when it stops', async () => {
    const url = await postgres.take();
    const first = await start(url, 'all');
    const holder = async () =>
      (await databaseRows(url, "select holder from duties where name = 'spaces'"))[0]?.holder ?? null;
    const before = await found('a holder', holder);
    const second = await start(url, 'worker');
    await first.close();
    await until('another holder', async () => {
      const now = await holder();
      return now !== null && now !== before;
    });
    await second.close();
    await postgres.giveBack(url);
  });
};

const passesOpenTransactions = (postgres: TestPostgres): void =>
  test('a transaction that somebody leaves open holds up neither the reading nor the erasing of documents', async () => {
    const url = await postgres.take();
    const all = await start(url, 'all');
    await all.add({ content: 'Grace builds ships.', containerTag: 'farm' });
    const report = new pg.Client({ connectionString: url });
    await report.connect();
    const count = 'select count(*)::int as n from documents';
    await report.query(`begin isolation level repeatable read; ${count}`);
    const { id } = await all.add({ content: 'Ada keeps bees behind the mill.', containerTag: 'farm' });
    const search = { q: 'who keeps bees', containerTags: ['farm'] };
    const { body } = await all.ask<{ results: { documentId: string }[] }>('POST', '/v3/search', search);
    expect(body.results.map(({ documentId }) => documentId)).toContain(id);
    expect((await all.ask('DELETE', `/v3/documents/${id}`)).status).toBe(204);
    await until('the row to be erased', async () => (await databaseRows(url, count))[0]?.n === 1);
    expect((await report.query(count)).rows).toEqual([{ n: 1 }]);
    await report.end();
    await all.close();
    await postgres.giveBack(url);
  });

const takesOverSyncs = (postgres: TestPostgres): void => {
  test('the sync of a worker that was killed goes on in another one, as the same run, when its lease has ended', async () => {
    const url = await postgres.take();
    const bucket = await startFakeBucket({}, { pageSize: 10 });
    for (let n = 0; n < 12; n++) await bucket.put(`note ${n}.txt`, `Note ${n} about the ferries.`);
    const env = { ...onPostgres(url), MEMOIR_PRIVATE_SOURCES: new URL(bucket.endpoint).host };
    const api = await startMemoir({ ...env, MEMOIR_ROLE: 'api' });
    const folder = { dir: newDataFolder('killed'), key: api.key };
    const stalls = bucket.server.addFault((request) =>
      bucket.isReading(request) ? new Promise<never>(() => undefined) : undefined,
    );
    const killed = await startProcess({
      ...{ ...folder, logFile: join(folder.dir, 'log') },
      env: { ...env, MEMOIR_ROLE: 'worker' },
    }).ready;
    const created = await api.ask<{ id: string }>('POST', '/v3/connections/s3', {
      metadata: { ...bucket.grant.metadata, ...bucket.grant.secrets },
    });
    await until('a read of the bucket', () => bucket.server.requests.some(bucket.isReading));
    await killed.kill(true);
    stalls();
    await databaseRows(url, "update boots set until = clock_timestamp() + interval '2 seconds'");
    const worker = await startMemoir({ ...env, MEMOIR_ROLE: 'worker' });
    const runs = async () =>
      (
        await api.ask<{ status: string; itemsAdded: number }[]>(
          ...(['GET', `/v3/connections/${created.body.id}/sync-runs`] as const),
        )
      ).body;
    await until('the end of the run', async () => (await runs())[0]?.status === 'completed');
    expect(await runs()).toMatchObject([{ status: 'completed', itemsAdded: 12 }]);
    await worker.close();
    await api.close();
    await bucket.close();
    rmSync(folder.dir, { recursive: true, force: true });
    await postgres.giveBack(url);
  });
};

const sharesOriginals = (postgres: TestPostgres): void =>
  test('an upload through one process is read by a worker, downloaded through another process, and gone from the bucket once it is deleted', async () => {
    const url = await postgres.take();
    const bucket = await startBucketServer();
    const env = {
      ...onPostgres(url),
      MEMOIR_BLOBS_URL: `s3://${bucket.bucket}/memoir`,
      MEMOIR_BLOBS_ENDPOINT: bucket.endpoint,
      MEMOIR_BLOBS_KEY_ID: bucket.keyId,
      MEMOIR_BLOBS_SECRET: bucket.secret,
    };
    const [one, other, worker] = [
      await startMemoir({ ...env, MEMOIR_ROLE: 'api' }),
      await startMemoir({ ...env, MEMOIR_ROLE: 'api' }),
      await startMemoir({ ...env, MEMOIR_ROLE: 'worker' }),
    ];
    const { key } = one;
    const text = 'The spare key of the boat house hangs behind the blue door.';
    const { status, body } = await postForm(one, [
      ['file', fileOf(text), 'keys.txt'],
      ['containerTag', 'farm'],
    ]);
    expect(status).toBe(200);
    const id = String(body.id);
    await until('the document', async () => (await statusAt(other, key, id)) === 'done');
    const link = await other.ask<{ url: string }>('GET', `/v3/documents/${id}/file-url`, undefined, { key });
    expect(new URL(link.body.url).origin).toBe(other.url);
    expect(await (await fetch(link.body.url)).text()).toBe(text);
    for (const { dir } of [one, other, worker]) expect(existsSync(join(dir, 'files'))).toBe(false);
    expect((await other.ask('DELETE', `/v3/documents/${id}`, undefined, { key })).status).toBe(204);
    await until('an empty bucket', () => bucket.objects.size === 0);
    for (const each of [worker, other, one]) await each.close();
    await bucket.close();
    await postgres.giveBack(url);
  });

const endsAccess = (postgres: TestPostgres): void =>
  test('a disabled key is refused at once where it was disabled, and by the others as soon as they hear of it', async () => {
    const url = await postgres.take();
    const one = await start(url, 'api');
    const other = await start(url, 'api');
    const key = await one.scopedKey(['farm']);
    const search = (at: OwnMemoir) =>
      at.ask('POST', '/v3/search', { q: 'bees', containerTags: ['farm'] }, { key });
    expect((await search(one)).status).toBe(200);
    expect((await search(other)).status).toBe(200);
    const { body } = await one.ask<{ keys: { id: string; name: string }[] }>('GET', '/v3/auth/keys');
    const id = body.keys.find(({ name }) => name === 'test')?.id;
    expect((await one.ask('PUT', `/v3/auth/keys/${id}/toggle`)).status).toBe(200);
    expect((await search(one)).status).toBe(401);
    // Without the notification the others notice it after 5 seconds.
    await until('the refusal elsewhere', async () => (await search(other)).status === 401, 4000);
    await other.close();
    await one.close();
    await postgres.giveBack(url);
  });

const countsTogether = (postgres: TestPostgres): void =>
  test('a limit of 100 requests holds over four processes that are asked at the same time', async () => {
    const url = await postgres.take();
    const processes = await Promise.all(Array.from({ length: 4 }, () => start(url, 'api')));
    const one = processes.find((each) => each.key !== '');
    const key = await one?.scopedKey(['farm'], { rateLimitMax: 100, rateLimitTimeWindow: 600_000 });
    const statuses = await Promise.all(
      Array.from({ length: 120 }, async (_, n) => {
        const at = processes[n % processes.length];
        const asked = { q: 'bees', containerTags: ['farm'] };
        return (await at?.ask('POST', '/v3/search', asked, { key: key ?? '' }))?.status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(statuses.filter((status) => status === 200)).toHaveLength(100);
    for (const each of processes) await each.close();
    await postgres.giveBack(url);
  });

const startsOnce = (postgres: TestPostgres): void =>
  test('eight processes that start at once on an empty database make one organisation, one key, one space and one set of keys to sign', async () => {
    const url = await postgres.take();
    const started = await Promise.all(
      ['api', 'all', 'api', 'worker', 'api', 'worker', 'all', 'api'].map((role) => start(url, role)),
    );
    expect(started.map(({ key }) => key).filter((key) => key !== '')).toHaveLength(1);
    expect(new Set(started.map(({ memoir }) => memoir.orgId)).size).toBe(1);
    expect(await databaseRows(url, 'select count(*)::int as n from spaces')).toEqual([{ n: 1 }]);
    expect(await databaseRows(url, 'select count(*)::int as n from keys')).toEqual([{ n: 1 }]);
    const jwks = async ({ url: at }: OwnMemoir) => (await fetch(`${at}/oauth/jwks`)).text();
    expect(await jwks(started[0] as OwnMemoir)).toBe(await jwks(started[1] as OwnMemoir));
    for (const each of started) await each.close();
    await postgres.giveBack(url);
  });

const dividesAlike = (postgres: TestPostgres): void =>
  test('a process with another number of shards, or another bound of the index, is refused while one lives, and starts when it is alone', async () => {
    const url = await postgres.take();
    const first = await start(url, 'all');
    await until('the number to be told', async () => {
      const [row] = await databaseRows(url, "select state::json ->> 'shards' as shards from processes");
      return row?.shards === '1';
    });
    const env = { ...onPostgres(url), MEMOIR_ROLE: 'api', CHROMA_SHARDS: '2' };
    await expect(startMemoir({ ...env, CHROMA_SHARDS: '1', CHROMA_INDEX_FROM: '5' })).rejects.toThrow(
      /^CHROMA_INDEX_FROM is 5 here and 0 in a process on the same database/,
    );
    await expect(startMemoir(env)).rejects.toThrow(
      /^CHROMA_SHARDS is 2 here and 1 in a process on the same database \(process \d+ on .*\)\. To change the number, stop all/,
    );
    await first.close();
    const alone = await startMemoir(env);
    await alone.close();
    await postgres.giveBack(url);
  });

const tellsWhatWasServed = (postgres: TestPostgres): void =>
  test('the texts that a process returned are told to the workers, each once', async () => {
    const url = await postgres.take();
    const all = await start(url, 'all');
    const pool = openPool({ url, most: 1, lost: () => undefined });
    const read = createServedReader(pool);
    await all.add({ content: 'Ada keeps bees behind the mill.', containerTag: 'farm' });
    await all.ask('POST', '/v3/search', { q: 'who keeps bees', containerTags: ['farm'] });
    const told = await found('the told texts', async () => {
      const news = await read();
      return news.length > 0 ? news : null;
    });
    expect(told).toEqual([{ tags: ['farm'], texts: ['Ada keeps bees behind the mill.'] }]);
    expect(await read()).toEqual([]);
    await pool.end();
    await all.close();
    await postgres.giveBack(url);
  });

await describeOnPostgres('several processes on one PostgreSQL', migratedPostgres, (postgres) => {
  sharesTheWork(postgres);
  passesOpenTransactions(postgres);
  takesOverSyncs(postgres);
  sharesOriginals(postgres);
  endsAccess(postgres);
  countsTogether(postgres);
  startsOnce(postgres);
  dividesAlike(postgres);
  tellsWhatWasServed(postgres);
});
