// A PostgreSQL as the database. No thread writes for the others: the database takes the writes of several connections.
import { hostname } from 'node:os';
import type { Pool } from 'pg';
import { openPool } from '../../adapters/store/postgres/connection.ts';
import { isDatabaseBusy } from '../../adapters/store/postgres/faults.ts';
import { heldRowsText } from '../../adapters/store/postgres/held-rows.ts';
import { type DatabaseLink, endWithLink, watchLink } from '../../adapters/store/postgres/link.ts';
import { databasePlace, explainedDatabase } from '../../adapters/store/postgres/opening/explain.ts';
import { prepareDatabase } from '../../adapters/store/postgres/opening/prepare.ts';
import { type DatabaseClock, openDatabaseClock } from '../../adapters/store/postgres/processes/clock.ts';
import {
  enterProcess,
  type Presence,
  type ProcessEntry,
} from '../../adapters/store/postgres/processes/processes.ts';
import { createSharedCounts } from '../../adapters/store/postgres/processes/rate-counts.ts';
import { createServedSharing } from '../../adapters/store/postgres/processes/served.ts';
import { type OpenedSignals, openSignals } from '../../adapters/store/postgres/processes/signals.ts';
import { openPostgresStore } from '../../adapters/store/request-side/postgres-store.ts';
import { openPostgresWritingSide } from '../../adapters/store/writing-side/postgres-writing-side.ts';
import type { PostgresConfig } from '../../config/settings/database.ts';
import type { PartHealth } from '../../core/health.ts';
import type { Company } from '../../core/processes/company.ts';
import type { ProcessRole } from '../../core/processes/role.ts';
import { VERSION } from '../../core/version.ts';
import { messageOf } from '../../lib/failures.ts';
import { newId } from '../../lib/ids.ts';
import { directCall } from '../../lib/threads/direct-call.ts';
import { connectionShares } from '../ingest-settings.ts';
import type { Log } from '../log.ts';
import type { WriterCommands } from '../writer-thread/commands.ts';
import type { WriterThread } from '../writer-thread/handle.ts';
import { createWriterCommands } from '../writer-thread/serve-writes.ts';
import { type OpenedDatabase, watchedCalls } from './database.ts';

interface Entered {
  readonly link: DatabaseLink;
  readonly presence: Presence;
  readonly signals: OpenedSignals;
  readonly clock: DatabaseClock;
  readonly entry: ProcessEntry;
}

const openWriter = (pool: Pool, { link, presence, signals, clock }: Entered): WriterThread => {
  const commands = createWriterCommands((hooks) => {
    const told: typeof hooks = {
      ...hooks,
      changed(crowded) {
        hooks.changed(crowded);
        signals.tell('work');
      },
      retried() {
        hooks.retried();
        signals.tell('retried');
      },
    };
    signals.on('work', () => hooks.changed(false));
    signals.on('retried', hooks.retried);
    return {
      commands: openPostgresWritingSide(pool, { now: clock.now, ...told }).commands,
      ingest: null,
      async close() {
        await signals.close();
        await presence.leave();
        await endWithLink(pool, link);
      },
    };
  });
  return { call: directCall<WriterCommands>(commands), stop: commands.stop };
};

/** The link writes its changes to the log; the health shows its state. */
const watchedLink = (url: string, log: Pick<Log, 'warn'>): DatabaseLink =>
  watchLink({
    url,
    changed: (silent) =>
      log.warn(
        silent
          ? 'PostgreSQL answers nothing. Its connections were ended, and requests get 503 until it answers again.'
          : 'PostgreSQL answers again.',
      ),
  });

const isStandby = async (pool: Pool): Promise<boolean> => {
  const { rows } = await pool.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
  return rows[0]?.standby === true;
};

const createDatabaseHealth =
  (reading: Pool, writing: Pool, place: string, version: string) => async (): Promise<PartHealth> => {
    const open = reading.totalCount + writing.totalCount;
    try {
      const detail = `PostgreSQL ${version}, ${place}, ${open} connections for requests`;
      if (await isStandby(reading))
        return {
          status: 'degraded',
          detail: `${detail}; it is a standby, which stores nothing: writes get 503 until it is promoted, or until the address leads to the primary`,
        };
      const held = await heldRowsText(reading);
      return held === null ? { status: 'ok', detail } : { status: 'degraded', detail: `${detail}; ${held}` };
    } catch (error) {
      if (isDatabaseBusy(error))
        return {
          status: 'degraded',
          detail: `PostgreSQL ${version}, ${place}; all ${reading.totalCount} connections for reads are in use, and some requests get 503 until one is free`,
        };
      return {
        status: 'down',
        detail: `${place} does not answer (${messageOf(error)}); requests get 503 until it does, and this process connects by itself`,
      };
    }
  };

const databaseBytes = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ bytes: string }>(
    'select pg_database_size(current_database()) as bytes',
  );
  return Number(rows[0]?.bytes ?? 0);
};

/** A switch of the embedding space waits for processes that are slow, and not for one that hangs. */
const AGREEMENT_MS = 10_000;

const companyOf = (pool: Pool, { presence, signals, entry }: Entered, log: Pick<Log, 'warn'>): Company => {
  const beat = (): void => void presence.beat().catch(() => undefined);
  signals.on('spaces', beat);
  const sharing = createServedSharing(pool, (error) =>
    log.warn({ err: error }, 'The workers were not told what searches returned.'),
  );
  return {
    signals,
    served: (tags, texts) => sharing.tell({ tags, texts }),
    id: entry.id,
    place: entry.place,
    fellows: presence.fellows,
    hears: signals.hears,
    watch: presence.watch,
    agreed: () => presence.agreed(AGREEMENT_MS),
  };
};

/** PostgreSQL ends a read at its time limit, and its answer takes a moment. */
const LATE_ANSWER_MS = 2_000;

export interface PostgresOptions {
  readonly settings: PostgresConfig;
  readonly role: ProcessRole;
  readonly queryDeadlineMs: number;
  readonly log: Pick<Log, 'warn'>;
  /** Called when another process works in the place of this one. */
  readonly replaced: (reason: Error) => void;
}

const enterDatabase = async (
  pool: Pool,
  link: DatabaseLink,
  { settings, role, log, replaced }: PostgresOptions,
): Promise<Entered> => {
  const entry: ProcessEntry = {
    id: newId(),
    place: `process ${process.pid} on ${hostname()}`,
    version: VERSION,
    role,
  };
  try {
    const clock = await openDatabaseClock(pool);
    const failed = (error: unknown): void =>
      log.warn({ err: error }, 'The database was not told that this process is alive.');
    const presence = await enterProcess(pool, entry, { clock, replaced, failed });
    const signals = openSignals({
      // A pooler gives each transaction another connection, so nothing would be heard.
      url: settings.pooled && settings.directUrl === settings.url ? null : settings.directUrl,
      process: entry.id,
      failed: (error) => log.warn({ err: error }, 'The connection for signals of other processes ended.'),
    });
    return { link, presence, signals, clock, entry };
  } catch (error) {
    await endWithLink(pool, link);
    throw explainedDatabase(error, settings.url);
  }
};

export const openPostgresDatabase = async (options: PostgresOptions): Promise<OpenedDatabase> => {
  const { settings, queryDeadlineMs, log } = options;
  const version = await prepareDatabase(settings.directUrl);
  const shares = connectionShares(settings.connections);
  const lost = (error: Error): void => log.warn({ err: error }, 'A connection to PostgreSQL ended.');
  const link = watchedLink(settings.url, log);
  const place = { url: settings.url, prepared: !settings.pooled, link, lost };
  const writing = openPool({ ...place, most: shares.writing, pipeline: true, byIndex: true });
  const entered = await enterDatabase(writing, link, options);
  const { now } = entered.clock;
  const answerMs = queryDeadlineMs + LATE_ANSWER_MS;
  const reading = openPool({ ...place, most: shares.reading, pipeline: true, answerMs });
  const writer = openWriter(writing, entered);
  const name = databasePlace(settings.url);
  return {
    writer,
    place: name,
    openStore: (watch) => ({
      ...openPostgresStore({
        ...{ pool: reading, link, now, queryDeadlineMs, call: watchedCalls(writer.call, watch) },
      }),
      close: () => reading.end(),
    }),
    searchElsewhere: null,
    bytes: () => databaseBytes(reading),
    health: createDatabaseHealth(reading, writing, name, version),
    now,
    company: companyOf(writing, entered, log),
    counts: createSharedCounts(reading),
  };
};
