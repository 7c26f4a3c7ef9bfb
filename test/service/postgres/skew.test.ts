// Tests of processes whose clocks differ by two hours: the clock of the database decides.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migratedPostgres } from '../../adapters/store/open-postgres.ts';
import { describeOnPostgres } from '../../adapters/store/postgres/with-postgres.ts';
import { type Server, start } from '../../crash/server.ts';
import { newDataFolder } from '../../support/data-folder.ts';
import { onPostgres } from '../../support/on-postgres.ts';
import { databaseRows } from '../../support/stored-rows.ts';
import { until } from '../../support/until.ts';

const HOUR_MS = 3_600_000;
const KEY = `sm_${'q7Zp4'.repeat(3)}x9Kd2Vb8`;
const CLOCK = join(import.meta.dirname, 'fixtures/skewed-clock.mjs');

const startSkewed = (database: string, dir: string, role: string, skewMs: number): Promise<Server> =>
  start({
    ...{ dir, key: KEY, logFile: join(dir, 'log') },
    env: {
      ...onPostgres(database),
      MEMOIR_ROLE: role,
      TEST_CLOCK_SKEW_MS: String(skewMs),
      NODE_OPTIONS: `--import=${CLOCK}`,
    },
  }).ready;

const ask = async (url: string, method: string, path: string, body?: object) => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Record<string, unknown>;
};

await describeOnPostgres('processes with wrong clocks', migratedPostgres, (postgres) =>
  test('a document of a process that is an hour ahead is read by one that is an hour behind, at the time of the database', async () => {
    const url = await postgres.take();
    const dirs = ['api', 'worker'].map((role) => newDataFolder(`skew-${role}`));
    const [apiDir = '', workerDir = ''] = dirs;
    const api = await startSkewed(url, apiDir, 'api', HOUR_MS);
    const worker = await startSkewed(url, workerDir, 'worker', -HOUR_MS);
    const { id } = await ask(api.url, 'POST', '/v3/documents', {
      ...{ content: 'Ada keeps bees behind the mill.', containerTag: 'farm' },
    });
    await until('the document', async () => {
      const { status } = await ask(api.url, 'GET', `/v3/documents/${id}`);
      return status === 'done';
    });
    const rows = await databaseRows(
      url,
      `select abs(extract(epoch from clock_timestamp()) * 1000 - created_at) < 600000 as near,
           abs(extract(epoch from clock_timestamp()) * 1000 - updated_at) < 600000 as also from documents`,
    );
    expect(rows).toEqual([{ near: true, also: true }]);
    await api.stop();
    await worker.stop();
    for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
    await postgres.giveBack(url);
  }),
);
