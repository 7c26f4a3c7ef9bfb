// The processes that use a database: each says every few seconds that it is alive and what it does. The database's clock judges.
import type { Pool } from 'pg';
import { unavailable } from '../../../../core/errors.ts';
import type { ProcessRole } from '../../../../core/processes/role.ts';
import { pause } from '../../../../lib/async/wait.ts';
import { LEASE_SECONDS } from './boot.ts';
import { CLOCK_MS, type DatabaseClock } from './clock.ts';

const ALIVE_EVERY_MS = 3_000;
const LOOK_EVERY_MS = 500;
const AGREEMENT_EVERY_MS = 100;

export interface ProcessEntry {
  readonly id: string;
  /** The machine and the process, for people. */
  readonly place: string;
  readonly version: string;
  readonly role: ProcessRole;
}

/** Another process that is alive. */
export interface Fellow extends ProcessEntry {
  /** The embedding spaces that it works with. */
  readonly spaces: string;
  /** The state of its work, as it tells it. */
  readonly state: unknown;
}

export interface PresenceHooks {
  /** The state of the work of this process, as it tells it. */
  state(): Promise<unknown>;
  /** The others have told of theirs. */
  met(): Promise<void>;
  /** Other embedding spaces are in use: resolves when this process works with them. */
  spacesChanged(): Promise<void>;
}

export interface Presence {
  /** The others that are alive, as of the last beat. */
  fellows(): readonly Fellow[];
  watch(hooks: PresenceHooks): void;
  /** Tells at once that this process is alive, and hears of the others. */
  beat(): Promise<void>;
  /** Resolves when all processes work with the present embedding spaces, or after this time. */
  agreed(withinMs: number): Promise<void>;
  leave(): Promise<void>;
}

export interface PresenceOptions {
  readonly clock: DatabaseClock;
  /** Processes of another version have taken the place of this one. */
  readonly replaced: (reason: Error) => void;
  readonly failed: (error: unknown) => void;
}

const ALIVE = `seen_at >= clock_timestamp() - interval '${LEASE_SECONDS} seconds'`;

/** The processes that are alive, of any version. */
export const LIVING_PROCESSES = `select place from processes where ${ALIVE}`;

interface OtherVersion {
  readonly place: string;
  readonly version: string;
  readonly seen: string;
}

/** Either a process of another version is alive and answered, or this one is entered. */
const ENTER = `with gone as (delete from processes where not (${ALIVE}) and id <> $1 returning id),
  others as (
    select place, version, seen_at::text as seen from processes where id <> $1 and version <> $3 and ${ALIVE}),
  entered as (
    insert into processes (id, place, version, role)
    select $1, $2, $3, $4 where not exists (select 1 from others)
    on conflict (id) do update set seen_at = clock_timestamp())
  select place, version, seen from others order by seen desc limit 1`;

const ENTER_LOCK = 7_203_421;

const enter = async (
  pool: Pool,
  { id, place, version, role }: ProcessEntry,
): Promise<OtherVersion | null> => {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query(`begin; select pg_advisory_xact_lock(${ENTER_LOCK})`);
    const { rows } = await client.query<OtherVersion>(ENTER, [id, place, version, role]);
    await client.query('commit');
    broken = false;
    return rows[0] ?? null;
  } finally {
    client.release(broken);
  }
};

const refused = (own: string, { place, version }: OtherVersion): Error =>
  unavailable(
    `This is Memoir ${own}, and a Memoir ${version} works on the same database (${place}). Processes of two versions do not work together: stop all of the one version before you start the other.`,
  );

/** A process that was killed leaves an entry, which nobody renews: the start waits until it counts as gone. */
const enterWhenAlike = async (pool: Pool, entry: ProcessEntry): Promise<void> => {
  const first = await enter(pool, entry);
  for (let other = first; other !== null; other = await enter(pool, entry)) {
    if (first === null || other.place !== first.place || other.seen !== first.seen)
      throw refused(entry.version, other);
    await pause(LOOK_EVERY_MS);
  }
};

const BEAT = `with beat as (
    update processes set seen_at = clock_timestamp(), spaces = $2, state = $3 where id = $1 returning id)
  select (select count(*) from beat) as beaten, ${CLOCK_MS} as now,
    (select coalesce(string_agg(id || ' ' || state, ', ' order by id), '') from spaces) as spaces,
    (select coalesce(json_agg(json_build_object('id', id, 'place', place, 'version', version, 'role', role,
        'spaces', spaces, 'state', state::json) order by role, place), '[]')
      from processes where id <> $1 and ${ALIVE}) as fellows`;

interface Beat {
  readonly beaten: number;
  readonly now: number;
  readonly spaces: string;
  readonly fellows: readonly Fellow[];
}

export const enterProcess = async (
  pool: Pool,
  entry: ProcessEntry,
  { clock, replaced, failed }: PresenceOptions,
): Promise<Presence> => {
  let hooks: PresenceHooks | null = null;
  let fellows: readonly Fellow[] = [];
  let present = '';
  /** The spaces that this process works with; null: it begins with those that are there. */
  let loaded: string | null = null;

  const beatOnce = async (): Promise<void> => {
    const state = JSON.stringify((await hooks?.state()) ?? null);
    const { rows } = await pool.query<Beat>(BEAT, [entry.id, loaded ?? '', state]);
    const [row] = rows;
    if (row === undefined) return;
    clock.set(row.now);
    ({ fellows, spaces: present } = row);
    loaded ??= present;
    await hooks?.met();
    if (row.beaten > 0) return;
    const other = await enter(pool, entry);
    if (other !== null) replaced(refused(entry.version, other));
  };

  const beat = async (): Promise<void> => {
    await beatOnce();
    if (hooks === null || loaded === present) return;
    const changed = present;
    await hooks.spacesChanged();
    loaded = changed;
    await beatOnce();
  };

  await enterWhenAlike(pool, entry);
  await beatOnce();
  const timer = setInterval(() => beat().catch(failed), ALIVE_EVERY_MS);
  timer.unref();
  return {
    fellows: () => fellows,
    watch(given) {
      hooks = given;
    },
    beat,
    async agreed(withinMs) {
      const end = performance.now() + withinMs;
      do {
        await beat();
        if (fellows.every(({ spaces }) => spaces === present)) return;
        await pause(AGREEMENT_EVERY_MS);
      } while (performance.now() < end);
    },
    async leave() {
      clearInterval(timer);
      await pool.query('delete from processes where id = $1', [entry.id]).catch(failed);
    },
  };
};
