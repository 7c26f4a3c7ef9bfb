// The clock of the database, which all processes share: kept between two looks by a clock that nobody sets.
import type { Pool } from 'pg';

export interface DatabaseClock {
  /** In whole milliseconds. */
  now(): number;
  /** `databaseMs`: what the database just answered. */
  set(databaseMs: number): void;
}

/** An expression of PostgreSQL. */
export const CLOCK_MS = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint';

const createDatabaseClock = (monotonic: () => number = () => performance.now()): DatabaseClock => {
  let offset = Date.now() - monotonic();
  return {
    now: () => Math.floor(monotonic() + offset),
    set(databaseMs) {
      offset = databaseMs - monotonic();
    },
  };
};

export const openDatabaseClock = async (pool: Pool): Promise<DatabaseClock> => {
  const clock = createDatabaseClock();
  const { rows } = await pool.query<{ now: number }>(`select ${CLOCK_MS} as now`);
  if (rows[0] !== undefined) clock.set(rows[0].now);
  return clock;
};
