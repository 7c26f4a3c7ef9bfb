// Transactions that have been open for long, whoever began them: until they end, PostgreSQL keeps every row that was erased or
// changed meanwhile, so the tables grow and the queue is read more slowly. Nothing else waits for them.
import type { Pool } from 'pg';

/** A dump of a large database takes long, and is over before the tables have grown much. */
const LONG_MS = 30 * 60_000;

/** Without the right to see the sessions of other users PostgreSQL shows none of their times. */
const HELD = `select kind, who, floor(extract(epoch from clock_timestamp() - since) / 60)::int as minutes from (
    select 'session' as kind, format('process %s (%s)', pid, coalesce(nullif(application_name, ''), usename, 'unknown')) as who,
        xact_start as since
      from pg_stat_activity where datname = current_database() and backend_xmin is not null and pid <> pg_backend_pid()
    union all
    select 'prepared', format('the prepared transaction %s', gid), prepared
      from pg_prepared_xacts where database = current_database()
  ) as transactions
  where since < clock_timestamp() - $1 * interval '1 millisecond' order by since limit 1`;

interface HeldRow {
  readonly kind: 'session' | 'prepared';
  readonly who: string;
  readonly minutes: number;
}

const REMEDIES: Readonly<Record<HeldRow['kind'], string>> = {
  session: 'end it if nobody needs it, with pg_terminate_backend',
  prepared: 'commit it or roll it back',
};

/** For the health: the oldest of them and what to do; null: there is none. */
export const heldRowsText = async (pool: Pool, longMs = LONG_MS): Promise<string | null> => {
  const { rows } = await pool.query<HeldRow>(HELD, [longMs]);
  const [oldest] = rows;
  if (oldest === undefined) return null;
  const { kind, who, minutes } = oldest;
  return `${who} has been open for ${minutes} minutes: until it ends PostgreSQL keeps all erased rows, so the tables grow; ${REMEDIES[kind]}`;
};
