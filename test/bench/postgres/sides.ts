// The two databases that (n) compares, each below a Memoir of its own.
import { type Fleet, startFleet } from '../../scale/fleet.ts';
import { stillWaiting } from '../../scale/stored.ts';
import { NO_CHROMA, onPostgres } from '../../support/on-postgres.ts';
import type { TestPostgres } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';
import type { Filled } from '../support/fill.ts';
import { type Server, startServer } from '../support/memoir.ts';

const FILL_MS = 600_000;
const KEY = `sm_${'q7Zp4'.repeat(3)}x9Kd2Vb8`;

/** One of the two databases. */
export interface Side extends Filled {
  settled(): Promise<void>;
  readonly adds: number[];
  readonly cold: number[];
  readonly warm: number[];
  readonly idle: number[];
  readonly importing: number[];
}

/** To count what waits PostgreSQL reads all documents: asked all the time, that takes a quarter of a core from what is measured. */
const COUNT_MS = 200;

const seldom = <T>(count: () => T): (() => T) => {
  let counted: { readonly at: number; readonly answer: T } | null = null;
  return () => {
    const now = performance.now();
    if (counted === null || now - counted.at >= COUNT_MS) counted = { at: now, answer: count() };
    return counted.answer;
  };
};

const sideOf = ({ queue, ...target }: Filled): Side => ({
  ...target,
  queue: seldom(queue),
  async settled() {
    // Its first answer is of now.
    const count = seldom(queue);
    await until('an empty queue', async () => (await count()).unfinished === 0, FILL_MS);
  },
  ...{ adds: [], cold: [], warm: [], idle: [], importing: [] },
});

export const openSqlite = async (): Promise<{ server: Server; side: Side }> => {
  const server = await startServer({ env: { CHROMA_URL: NO_CHROMA } });
  return { server, side: sideOf(server) };
};

export const openPostgresServer = async (
  postgres: TestPostgres,
  dir: string,
): Promise<{ fleet: Fleet; side: Side }> => {
  const database = await postgres.take();
  const fleet = await startFleet({
    ...{
      dir,
      key: KEY,
      env: { ...onPostgres(database), MEMOIR_LOG_LEVEL: 'error' },
      roles: ['all'] as const,
    },
    say: console.log,
  });
  const queue = async () => ({ unfinished: await stillWaiting(database) });
  return { fleet, side: sideOf({ url: fleet.urls()[0] ?? '', key: KEY, queue }) };
};
