// Counts that all processes on one database share. Windows begin and end by the clock of the database.
import type { Pool } from 'pg';
import type { RateCount, RateCounts } from '../../../../core/processes/rate-counts.ts';
import { explainedFault } from '../faults.ts';

const WAIT = `greatest(1, ceil(extract(epoch from ends_at - clock_timestamp()) * 1000))::bigint as "waitMs"`;

const ADD = `insert into rate_counts (name, count, ends_at)
    values ($1, 1, clock_timestamp() + $2 * interval '1 millisecond')
  on conflict (name) do update set
    count = case when rate_counts.ends_at <= clock_timestamp() then 1 else rate_counts.count + 1 end,
    ends_at = case when rate_counts.ends_at <= clock_timestamp() then excluded.ends_at else rate_counts.ends_at end
  returning count, ${WAIT}`;

const LOOK = `select count, ${WAIT} from rate_counts where name = $1 and ends_at > clock_timestamp()`;

const FORGET = `delete from rate_counts where ends_at < clock_timestamp() - interval '1 minute'`;
/** Counts of the past are erased once in so many. */
const ADDS_BEFORE_FORGETTING = 1_000;

export const createSharedCounts = (pool: Pool): RateCounts => {
  let adds = 0;
  const ask = async (statement: string, parameters: readonly unknown[]): Promise<RateCount | null> => {
    try {
      return (await pool.query<RateCount>(statement, [...parameters])).rows[0] ?? null;
    } catch (error) {
      throw explainedFault(error);
    }
  };
  return {
    async add(name, windowMs) {
      adds += 1;
      if (adds % ADDS_BEFORE_FORGETTING === 0) await ask(FORGET, []);
      const count = await ask(ADD, [name, windowMs]);
      if (count === null) throw new Error('PostgreSQL gave no count.');
      return count;
    },
    look: (name) => ask(LOOK, [name]),
  };
};
