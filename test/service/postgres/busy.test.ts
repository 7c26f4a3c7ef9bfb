// Tests of a PostgreSQL that answers, and has no turn for a call in time: the call is told the truth and to come again.
import pg from 'pg';
import { expect, test } from 'vitest';
import { run } from '../../../server/adapters/store/engine/run.ts';
import { openPool } from '../../../server/adapters/store/postgres/connection.ts';
import { createSharedCounts } from '../../../server/adapters/store/postgres/processes/rate-counts.ts';
import { createScopedReads } from '../../../server/adapters/store/postgres/scoped-reads.ts';
import { createPostgresWriter } from '../../../server/adapters/store/postgres/writer.ts';
import { migratedPostgres } from '../../adapters/store/open-postgres.ts';
import { describeOnPostgres } from '../../adapters/store/postgres/with-postgres.ts';
import { startMemoir } from '../../support/memoir.ts';
import { onPostgres } from '../../support/on-postgres.ts';

const BUSY = {
  ...{ name: 'DatabaseBusyError', status: 503 },
  message: expect.stringContaining('busy with other calls'),
  headers: { 'retry-after': '5', 'x-should-retry': 'true' },
};

/** The lock that all writes share, as the writer names it. */
const WRITE_LOCK = 7_203_419;
const CONNECTIONS = 8;

await describeOnPostgres('a busy PostgreSQL', migratedPostgres, (postgres) => {
  test('gives a write, a read and a count for which no connection becomes free the same answer', async () => {
    const url = await postgres.take();
    const pool = openPool({ url, most: 1, lost: () => undefined });
    const held = await pool.connect();
    const outcomes = await Promise.allSettled([
      createPostgresWriter(pool).together(async () => undefined),
      run(createScopedReads(pool, 60_000).of({ reads: null }), 'select 1 as one'),
      createSharedCounts(pool).look('nothing'),
    ]);
    expect(outcomes).toEqual(
      outcomes.map(() => ({ status: 'rejected', reason: expect.objectContaining(BUSY) })),
    );
    held.release();
    await pool.end();
    await postgres.giveBack(url);
  });

  test('is not called silent or down while writes wait for each other, and takes what is sent again', async () => {
    const url = await postgres.take();
    const memoir = await startMemoir({
      ...onPostgres(url),
      MEMOIR_DATABASE_CONNECTIONS: String(CONNECTIONS),
    });
    const write = (n: number) =>
      memoir.ask<{ error: string }>('POST', '/v4/memories', {
        ...{ containerTag: 'mill', memories: [{ content: `Ada keeps ${n} bees.` }] },
      });
    await write(0);
    const other = new pg.Client(url);
    await other.connect();
    await other.query('select pg_advisory_lock($1)', [WRITE_LOCK]);

    const asked = Array.from({ length: CONNECTIONS }, (_, n) => write(n + 1));
    const refused = await Promise.any(
      asked.map(async (one) => {
        const answer = await one;
        if (answer.status === 503) return answer;
        throw new Error('It was stored.');
      }),
    );
    expect(refused.body.error).toBe(
      'The database of this server is busy with other calls, so this was not done. Send it again in a few seconds.',
    );
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(refused.headers.get('x-should-retry')).toBe('true');
    const health = await memoir.ask('GET', '/health');
    expect(health.status).toBe(200);
    expect(health.body.parts).toMatchObject({ store: { status: 'ok' }, database: { status: 'ok' } });

    await other.end();
    await Promise.all(asked);
    expect((await write(99)).status).toBe(201);
    await memoir.close();
    await postgres.giveBack(url);
  });
});
