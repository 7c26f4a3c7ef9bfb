// The statistics by which PostgreSQL plans statements. Its own upkeep looks at a database once a minute, and never at a table that
// consists of partitions: until then each connection keeps plans that were made for tables of a few rows.
import type { Pool } from 'pg';
import { executeLarge } from './connection.ts';

/** Below so many rows every plan is as good. */
const FEWEST_ROWS = 100;
/** A table that has grown less keeps its plans. */
const GROWN = 4;

/** The tables that have grown so much since the planner looked at them; of a partition, the table that it belongs to. */
const GROWN_TABLES = `select distinct coalesce(parent.inhparent, grown.relid)::regclass::text as name
  from pg_stat_user_tables as grown inner join pg_class as measured on measured.oid = grown.relid
    left join pg_inherits as parent on parent.inhrelid = grown.relid
  where grown.schemaname = 'public' and grown.n_live_tup >= ${FEWEST_ROWS} and (
    coalesce(grown.last_analyze, grown.last_autoanalyze) is null
    or grown.n_live_tup >= ${GROWN} * greatest(measured.reltuples, 0))`;

/** Has the planner look at the tables that have grown, one after the other. */
export const refreshStatistics = async (pool: Pool, signal?: AbortSignal): Promise<void> => {
  const { rows } = await pool.query<{ name: string }>(GROWN_TABLES);
  for (const { name } of rows) {
    signal?.throwIfAborted();
    await executeLarge(pool, `analyze ${name}`);
  }
};
