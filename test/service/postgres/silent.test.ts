// Tests of a network that goes silent between a Memoir and its PostgreSQL: nobody waits for its end, the other process goes on, and
// everything works once packets arrive again.
import { expect, test } from 'vitest';
import { migratedPostgres } from '../../adapters/store/open-postgres.ts';
import { describeOnPostgres } from '../../adapters/store/postgres/with-postgres.ts';
import { type OwnMemoir, startMemoir } from '../../support/memoir.ts';
import { onPostgres } from '../../support/on-postgres.ts';
import type { TestPostgres } from '../../support/postgres.ts';
import { startSilentNetwork } from '../../support/silent-network.ts';
import { databaseRows } from '../../support/stored-rows.ts';
import { until } from '../../support/until.ts';

const add = ({ ask }: OwnMemoir, key: string, content: string, customId: string) =>
  ask<{ id: string; error: string }>(
    ...(['POST', '/v3/documents', { content, customId, containerTag: 'farm' }, { key }] as const),
  );

const search = ({ ask }: OwnMemoir, key: string) =>
  ask('POST', '/v3/search', { q: 'who keeps bees', containerTags: ['farm'] }, { key });

const isAllDone = async (url: string): Promise<boolean> =>
  (await databaseRows(url, "select 1 from documents where step <> 'done'")).length === 0;

const answersInTime = (postgres: TestPostgres): void =>
  test('calls get 503 while it lasts, another process goes on, and all is well when packets arrive again', async () => {
    const url = await postgres.take();
    const network = await startSilentNetwork(url);
    const cut = await startMemoir(onPostgres(network.url));
    const other = await startMemoir({ ...onPostgres(url), MEMOIR_ROLE: 'api' });
    const { key } = cut;
    expect((await add(cut, key, 'Ada keeps bees behind the mill.', 'first')).status).toBe(200);
    await until('the document', () => isAllDone(url));

    // It stays silent until all have their answer.
    network.silence();
    const calls = [
      ...[1, 2, 3].map((n) => add(cut, key, `Note ${n} was sent into the silence.`, `silent-${n}`)),
      ...[1, 2, 3].map(() => search(cut, key)),
      cut.ask('GET', '/v3/documents/processing', undefined, { key }),
    ];
    for (const { status, headers, body } of await Promise.all(calls)) {
      expect(status).toBe(503);
      expect(headers.get('retry-after')).toBe('5');
      expect(body.error).toContain('The database of this server does not answer');
    }
    const health = await cut.ask('GET', '/health', undefined, { key: cut.memoir.localToken });
    expect(health.body).toMatchObject({ status: 'unavailable', parts: { database: { status: 'down' } } });
    expect((await add(other, key, 'Grace builds ships.', 'elsewhere')).status).toBe(200);
    expect((await search(other, key)).status).toBe(200);

    network.heal();
    await until('an answer after the silence', async () => {
      const { status } = await add(cut, key, 'Note 1 was sent into the silence.', 'silent-1');
      return status === 200;
    });
    expect((await search(cut, key)).status).toBe(200);
    await until('all documents', () => isAllDone(url));
    const stored = await databaseRows(
      url,
      'select custom_id, count(*)::int as n from documents group by 1 order by 1',
    );
    expect(stored).toEqual(
      expect.arrayContaining(['elsewhere', 'first', 'silent-1'].map((custom_id) => ({ custom_id, n: 1 }))),
    );
    expect(stored.every(({ n }) => n === 1)).toBe(true);

    network.silence();
    await cut.close();
    await other.close();
    await network.close();
    await postgres.giveBack(url);
  });

await describeOnPostgres('a silent network before PostgreSQL', migratedPostgres, (postgres) => {
  answersInTime(postgres);
});
