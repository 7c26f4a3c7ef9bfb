// Tests of a PostgreSQL that stops while a Memoir uses it: calls are told to come again, and the server goes on by itself.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { startMemoir } from '../../support/memoir.ts';
import { onPostgres } from '../../support/on-postgres.ts';
import { freePort, postgresIn } from '../../support/postgres.ts';
import { thrownBy } from '../../support/thrown.ts';
import { found, until } from '../../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'memoir-away-'));
const started = await (async () => {
  try {
    const server = await postgresIn(folder, await freePort(), {
      settings: [`unix_socket_directories=${tmpdir()}`],
    });
    await server.initialise();
    await server.start();
    return { server };
  } catch (error) {
    if (process.env.MEMOIR_TEST_REQUIRE_POSTGRES === '1') throw error;
    return { missing: String(error) };
  }
})();

describe.skipIf('missing' in started)(`a PostgreSQL that stops (${started.missing ?? 'embedded'})`, () => {
  /** Made by the first start. */
  let key = '';

  test('calls get 503 with a time to come again, the health names the database, and everything works after its return', async () => {
    const { server } = started;
    if (server === undefined) return;
    const memoir = await startMemoir(onPostgres(server.url));
    key = memoir.key;
    const before = await memoir.add({ content: 'The mill stands by the river.', containerTag: 'mill' });
    await server.stop();

    const add = () =>
      memoir.ask('POST', '/v3/documents', { content: 'Ada keeps bees.', containerTag: 'mill' });
    const refused = await add();
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(refused.body.error).toContain('The database of this server does not answer');
    const search = await memoir.ask('POST', '/v3/search', { q: 'bees', containerTags: ['mill'] });
    expect(search.status).toBe(503);
    const health = await memoir.ask('GET', '/health', undefined, { key: memoir.memoir.localToken });
    expect(health.status).toBe(503);
    expect(health.body.parts).toMatchObject({ database: { status: 'down' }, store: { status: 'down' } });

    await server.start();
    await until('an answer after the return', async () => (await add()).status === 200);
    await memoir.idle();
    const results = await found('the added text', async () => {
      const { body } = await memoir.ask<{ results: { documentId: string }[] }>('POST', '/v3/search', {
        ...{ q: 'who keeps bees', containerTags: ['mill'] },
      });
      return body.results.length > 0 ? body.results : null;
    });
    expect(results.some(({ documentId }) => documentId !== before.id)).toBe(true);
    await memoir.close();
  });

  test('a database that is reached by a Unix socket may stop, too, and its password stands in a setting of its own', async () => {
    const { server } = started;
    if (server === undefined) return;
    const { username, password, port } = new URL(server.url);
    const env = {
      ...onPostgres(`postgres://${username}@:${port}/postgres?host=${tmpdir()}`),
      MEMOIR_DATABASE_PASSWORD: password,
    };
    const memoir = await startMemoir(env);
    const add = () =>
      memoir.ask('POST', '/v3/documents', { content: 'Ada keeps geese.', containerTag: 'mill' }, { key });
    expect((await add()).status).toBe(200);
    const place = `the PostgreSQL at ${tmpdir()}:${port}`;
    const { body } = await memoir.ask<{ parts: { database: { detail: string } } }>(
      ...(['GET', '/health', undefined, { key }] as const),
    );
    expect(body.parts.database.detail).toContain(place);
    await server.stop();
    expect((await add()).status).toBe(503);
    const { message } = await thrownBy(() => startMemoir(env));
    expect(message).toContain(`${place.replace('the', 'The')} does not answer (connect ENOENT`);
    await server.start();
    await until('an answer after the return', async () => (await add()).status === 200);
    await memoir.close();
  });

  test('a database that refuses the password for a while is away: calls get 503, documents wait, and all goes on afterwards', async () => {
    const { server } = started;
    if (server === undefined) return;
    const memoir = await startMemoir(onPostgres(server.url));
    const administrator = new pg.Client({ connectionString: server.url });
    await administrator.connect();
    const add = (content: string) =>
      memoir.ask<{ id: string }>('POST', '/v3/documents', { content, containerTag: 'mill' }, { key });
    const { body: waiting } = await add('Grace builds ships at the river.');
    await administrator.query("alter role postgres password 'another'");
    await administrator.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename = current_user',
    );
    await until('a refusal', async () => (await add('Ada keeps hens.')).status !== 200);
    const refused = await add('Ada keeps hens.');
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    const { password } = new URL(server.url);
    await administrator.query(`alter role postgres password '${password}'`);
    await administrator.end();
    await until('an answer', async () => (await add('Ada keeps hens.')).status === 200);
    await until('the document that waited', async () => {
      const { body } = await memoir.ask('GET', `/v3/documents/${waiting.id}`, undefined, { key });
      expect(body.status).not.toBe('failed');
      return body.status === 'done';
    });
    await memoir.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
});
