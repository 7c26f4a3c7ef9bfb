// The database as the ingest thread uses it: the embedded one through the writer, a PostgreSQL over connections of its own.
import type { MessagePort } from 'node:worker_threads';
import type { IngestSide } from '../../adapters/store/ingest-side/ingest-store.ts';
import { openIngestSide } from '../../adapters/store/ingest-side/sqlite-ingest-side.ts';
import type { IngestThreadWrites } from '../../adapters/store/writing-side/sqlite-writing-side.ts';
import { allDuties, type Duties } from '../../lib/async/background/duties.ts';
import { callsOver } from '../../lib/threads/rpc.ts';
import type { Log } from '../log.ts';
import type { ReadingCommands } from '../writer-thread/ingest-link.ts';
import type { IngestSettings } from './settings.ts';

export interface OpenedIngestSide extends IngestSide {
  readonly duties: Duties;
  readonly now: () => number;
  /** Others write to the database as well: work is looked for, besides being told of, and dead processes leave leases. */
  readonly shared: boolean;
  /** Fetches the texts that other processes served since the last call; null: there are no others. */
  readonly served: (() => Promise<readonly { tags: readonly string[]; texts: readonly string[] }[]>) | null;
  /** Has the database look at tables that have grown, for its plans; null: it needs none of that. */
  readonly refreshStatistics: ((signal: AbortSignal) => Promise<void>) | null;
  close(): void | Promise<void>;
}

export interface IngestSideOptions {
  readonly settings: Pick<IngestSettings, 'file' | 'postgres'>;
  readonly boot: string;
  /** The port to the writer. */
  readonly writer: MessagePort;
  readonly reading: ReadingCommands;
  readonly log: Pick<Log, 'warn'>;
}

const nothing = (): void => undefined;

const openOnPostgres = async (
  postgres: NonNullable<IngestSettings['postgres']>,
  { boot, reading, log }: IngestSideOptions,
): Promise<() => Promise<OpenedIngestSide>> => {
  const [
    { openPool },
    { endWithLink, watchLink },
    { openPostgresWritingSide },
    { openPostgresIngestSide },
    boots,
    clocks,
    { createServedReader },
    { refreshStatistics },
    { relatingByReadings },
  ] = await Promise.all([
    import('../../adapters/store/postgres/connection.ts'),
    import('../../adapters/store/postgres/link.ts'),
    import('../../adapters/store/writing-side/postgres-writing-side.ts'),
    import('../../adapters/store/ingest-side/postgres-ingest-side.ts'),
    import('../../adapters/store/postgres/processes/boot.ts'),
    import('../../adapters/store/postgres/processes/clock.ts'),
    import('../../adapters/store/postgres/processes/served.ts'),
    import('../../adapters/store/postgres/statistics.ts'),
    import('../../domain/memories/relating/relating-by-readings.ts'),
  ]);
  const lost = (error: Error): void => log.warn({ err: error }, 'A connection to PostgreSQL ended.');
  const failed = (error: unknown): void =>
    log.warn({ err: error }, 'The database was not told that the ingest thread is alive.');
  return async () => {
    const link = watchLink({ url: postgres.url });
    const pool = openPool({ ...postgres, link, lost, pipeline: true, byIndex: true });
    const clock = await clocks.openDatabaseClock(pool);
    const { now } = clock;
    const { duties, leave } = await boots.enterBoot(pool, {
      ...{ id: boot, process: postgres.process, clock, failed },
    });
    const relating = relatingByReadings(reading.readStatements);
    const writing = openPostgresWritingSide(pool, {
      ...{ now, relating, changed: nothing, retried: nothing, former: boots.endedLeases },
    });
    return {
      ...openPostgresIngestSide(pool, writing, { now, boot, link }),
      ...{ duties, now, shared: true, served: createServedReader(pool) },
      refreshStatistics: (signal) => refreshStatistics(pool, signal),
      async close() {
        await leave();
        await endWithLink(pool, link);
      },
    };
  };
};

/** Loads what the database needs; the result opens it, once it is migrated. */
export const loadIngestSide = async (
  options: IngestSideOptions,
): Promise<() => OpenedIngestSide | Promise<OpenedIngestSide>> => {
  const { file, postgres } = options.settings;
  if (postgres !== null) return openOnPostgres(postgres, options);
  const { call } = callsOver<IngestThreadWrites>(options.writer);
  return () => ({
    ...openIngestSide({ file, call, now: Date.now, boot: options.boot }),
    ...{ duties: allDuties, now: Date.now, shared: false, served: null, refreshStatistics: null },
  });
};
