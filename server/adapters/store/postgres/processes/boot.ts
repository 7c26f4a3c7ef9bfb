// A boot holds leases of documents and duties for as long as the database hears from it. The database's clock judges.
import type { Pool } from 'pg';
import type { Duties } from '../../../../lib/async/background/duties.ts';
import type { FormerLeases } from '../../queries/ingestion/void-leases.ts';
import { CLOCK_MS, type DatabaseClock } from './clock.ts';

/** Without news for so long a boot has ended: others take its documents and its duties. */
export const LEASE_SECONDS = 15;
const BEAT_MS = 3_000;
/** A boot stops its duties so long after the last beat that was answered: before others may take them. */
const DUTIES_MS = 10_000;
/** A duty that another boot holds is not asked for again within this time. */
const REFUSED_MS = 1_000;

export interface BootOptions {
  readonly id: string;
  /** The process that it belongs to; former boots of the same process have ended. */
  readonly process: string;
  readonly clock: DatabaseClock;
  readonly failed: (error: unknown) => void;
}

export interface Boot {
  readonly duties: Duties;
  /** Its duties are free at once. */
  leave(): Promise<void>;
}

const LASTS = `clock_timestamp() + interval '${LEASE_SECONDS} seconds'`;

const BEAT = `insert into boots (id, process, until) values ($1, $2, ${LASTS})
  on conflict (id) do update set until = excluded.until returning ${CLOCK_MS} as now`;

const LIVING_BOOTS = 'select id from boots where until > clock_timestamp()';

const HOLD = `insert into duties (name, holder) select $1, $2 where $2 in (${LIVING_BOOTS})
  on conflict (name) do update set holder = excluded.holder
    where duties.holder = excluded.holder or duties.holder not in (${LIVING_BOOTS})
  returning name`;

const createDuties = (pool: Pool, id: string, lapsed: () => AbortSignal): Duties => {
  const held = new Map<string, AbortSignal>();
  const refused = new Map<string, number>();
  return {
    async hold(duty) {
      const known = held.get(duty);
      if (known !== undefined && !known.aborted) return known;
      held.delete(duty);
      if (performance.now() < (refused.get(duty) ?? 0)) return null;
      const signal = lapsed();
      if (signal.aborted) return null;
      const { rowCount } = await pool.query(HOLD, [duty, id]);
      if (rowCount === 0) {
        refused.set(duty, performance.now() + REFUSED_MS);
        return null;
      }
      held.set(duty, signal);
      return signal;
    },
  };
};

export const enterBoot = async (pool: Pool, options: BootOptions): Promise<Boot> => {
  const { id, process, clock, failed } = options;
  let lapse = new AbortController();
  let lapseTimer: NodeJS.Timeout | undefined;
  let left = false;

  const beat = async (): Promise<void> => {
    const began = performance.now();
    const { rows } = await pool.query<{ now: number }>(BEAT, [id, process]);
    if (left) return;
    if (rows[0] !== undefined) clock.set(rows[0].now);
    if (lapse.signal.aborted) lapse = new AbortController();
    clearTimeout(lapseTimer);
    lapseTimer = setTimeout(
      () => lapse.abort(new Error('The database was not told for too long that this process is alive.')),
      DUTIES_MS - (performance.now() - began),
    ).unref();
  };

  await pool.query('delete from boots where process = $1 and id <> $2', [process, id]);
  await beat();
  const timer = setInterval(() => beat().catch(failed), BEAT_MS);
  timer.unref();
  return {
    duties: createDuties(pool, id, () => lapse.signal),
    async leave() {
      left = true;
      clearInterval(timer);
      clearTimeout(lapseTimer);
      lapse.abort(new Error('The server is stopping'));
      await pool.query('delete from boots where id = $1', [id]).catch(failed);
    },
  };
};

/** Leases whose boot the database did not hear from in time. Those of memories and of runs begin with their boot. */
export const endedLeases = (): FormerLeases => ({
  documents: `lease_boot not in (${LIVING_BOOTS})`,
  memories: `memory_lease is not null and split_part(memory_lease, '~', 1) not in (${LIVING_BOOTS})`,
  runs: `split_part(lease, '~', 1) not in (${LIVING_BOOTS})`,
});
