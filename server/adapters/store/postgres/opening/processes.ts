// One process at a time ingests from a database: it says every few seconds that it is alive. The database's clock judges.
import type { Pool } from 'pg';
import { unavailable } from '../../../../core/errors.ts';
import { pause } from '../../../../lib/async/wait.ts';

const ALIVE_EVERY_MS = 3_000;
/** A process that was not seen for so long has ended. */
const GONE_AFTER = '15 seconds';
const LOOK_EVERY_MS = 500;

export interface ProcessEntry {
  readonly id: string;
  /** The machine and the process, for people. */
  readonly place: string;
  readonly version: string;
}

interface OtherProcess {
  readonly place: string;
  readonly seen: string;
}

/** Either there is no other entry, and this one is made; or the other one is answered. */
const ENTER = `with gone as (
    delete from processes where seen_at < clock_timestamp() - interval '${GONE_AFTER}' returning id),
  others as (
    select place, seen_at::text as seen from processes
    where id <> $1 and seen_at >= clock_timestamp() - interval '${GONE_AFTER}'),
  entered as (
    insert into processes (id, place, version) select $1, $2, $3 where not exists (select 1 from others)
    on conflict (id) do update set seen_at = clock_timestamp())
  select place, seen from others order by seen desc limit 1`;

const ENTER_LOCK = 7_203_421;

const enter = async (pool: Pool, { id, place, version }: ProcessEntry): Promise<OtherProcess | null> => {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query(`begin; select pg_advisory_xact_lock(${ENTER_LOCK})`);
    const { rows } = await client.query<OtherProcess>(ENTER, [id, place, version]);
    await client.query('commit');
    broken = false;
    return rows[0] ?? null;
  } finally {
    client.release(broken);
  }
};

/** No 409: a command waits for a folder that another command uses, and here nothing ends by itself. */
const refused = ({ place }: OtherProcess): Error =>
  unavailable(
    `The database is in use by another Memoir (${place}). Stop that one, or name another database in MEMOIR_DATABASE_URL: several processes on one database are not supported yet.`,
  );

/** A process that was killed leaves an entry, which nobody renews: the start waits until it counts as gone. */
const enterWhenFree = async (pool: Pool, entry: ProcessEntry): Promise<void> => {
  const first = await enter(pool, entry);
  for (let other = first; other !== null; other = await enter(pool, entry)) {
    if (first === null || other.place !== first.place || other.seen !== first.seen) throw refused(other);
    await pause(LOOK_EVERY_MS);
  }
};

export interface EnteredProcess {
  leave(): Promise<void>;
}

export interface EnterHooks {
  /** Another process took this one for ended and works in its place. */
  readonly replaced: (reason: Error) => void;
  readonly failed: (error: unknown) => void;
}

export const enterProcess = async (
  pool: Pool,
  entry: ProcessEntry,
  { replaced, failed }: EnterHooks,
): Promise<EnteredProcess> => {
  await enterWhenFree(pool, entry);
  const stayAlive = async (): Promise<void> => {
    try {
      const alive = 'update processes set seen_at = clock_timestamp() where id = $1';
      const { rowCount } = await pool.query(alive, [entry.id]);
      if (rowCount === 0)
        replaced(new Error('Another Memoir works on the database in the place of this one.'));
    } catch (error) {
      failed(error);
    }
  };
  const timer = setInterval(() => void stayAlive(), ALIVE_EVERY_MS);
  timer.unref();
  return {
    async leave() {
      clearInterval(timer);
      await pool.query('delete from processes where id = $1', [entry.id]).catch(failed);
    },
  };
};
