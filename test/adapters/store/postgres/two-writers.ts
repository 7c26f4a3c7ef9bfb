// Two writes at the same moment over two connections: the first one stops before its commit, until the second one waits for it or
// has ended.
import type { Writer, WriteWork } from '../../../../server/adapters/store/engine/writer.ts';
import { openPool } from '../../../../server/adapters/store/postgres/connection.ts';
import { createPostgresWriter } from '../../../../server/adapters/store/postgres/writer.ts';
import type { TestPostgres } from '../../../support/postgres.ts';
import { until } from '../../../support/until.ts';
import { openWorld } from '../contract/world.ts';
import { openPostgresAt } from '../open-postgres.ts';

interface Both<A, B> {
  readonly first: A;
  readonly second: B;
  /** The second one waited for the first one. */
  readonly waited: boolean;
}

type Kind = 'together' | 'alone';

export const openTwoWriters = async (postgres: TestPostgres) => {
  const url = await postgres.take();
  const pools = [1, 2, 3].map(() => openPool({ url, most: 2, lost: () => undefined }));
  const [one, other, look] = pools as [(typeof pools)[0], (typeof pools)[0], (typeof pools)[0]];
  const writers = [createPostgresWriter(one), createPostgresWriter(other)] as const;
  const world = await openWorld(openPostgresAt(url));
  const isWaiting = async (): Promise<boolean> => {
    const { rows } = await look.query<{ n: number }>(
      `select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return (rows[0]?.n ?? 0) > 0;
  };
  const begin = <T>(writer: Writer, kind: Kind, work: WriteWork<T>): Promise<T> =>
    kind === 'together' ? writer.together(work, 'ingest') : writer.write(work, 'ingest');
  return {
    ...{ url, world, writers, begin, isWaiting },
    rows: async (statement: string) => (await look.query(statement)).rows as Record<string, unknown>[],
    async race<A, B>(
      first: WriteWork<A>,
      second: WriteWork<B>,
      kinds: readonly [Kind, Kind] = ['together', 'together'],
    ): Promise<Both<A, B>> {
      const worked = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      const former = begin(writers[0], kinds[0], async (tx) => {
        const value = await first(tx);
        worked.resolve();
        await released.promise;
        return value;
      });
      await Promise.race([worked.promise, former]);
      let ended = false;
      const later = begin(writers[1], kinds[1], second).finally(() => {
        ended = true;
      });
      await until('the second write', async () => ended || (await isWaiting()));
      const waited = !ended;
      released.resolve();
      return { first: await former, second: await later, waited };
    },
    async [Symbol.asyncDispose]() {
      for (const pool of pools) await pool.end();
      await world[Symbol.asyncDispose]();
      await postgres.giveBack(url);
    },
  };
};
