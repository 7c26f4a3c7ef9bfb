// Tests of a PostgreSQL that stops while a Memoir uses it: calls are told to come again, and the server goes on by itself.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startMemoir } from '../../support/memoir.ts';
import { onPostgres } from '../../support/on-postgres.ts';
import { freePort, postgresIn } from '../../support/postgres.ts';
import { found, until } from '../../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'memoir-away-'));
const started = await (async () => {
  try {
    const server = await postgresIn(folder, await freePort());
    await server.initialise();
    await server.start();
    return { server };
  } catch (error) {
    if (process.env.MEMOIR_TEST_REQUIRE_POSTGRES === '1') throw error;
    return { missing: String(error) };
  }
})();

describe.skipIf('missing' in started)(`a PostgreSQL that stops (${started.missing ?? 'embedded'})`, () => {
  test('calls get 503 with a time to come again, the health names the database, and everything works after its return', async () => {
    const { server } = started;
    if (server === undefined) return;
    const memoir = await startMemoir(onPostgres(server.url));
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
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
});
