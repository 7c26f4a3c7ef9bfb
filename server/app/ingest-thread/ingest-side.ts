// The database as the ingest thread uses it: the embedded one through the writer, a PostgreSQL over connections of its own.
import type { MessagePort } from 'node:worker_threads';
import type { IngestSide } from '../../adapters/store/ingest-side/ingest-store.ts';
import { openIngestSide } from '../../adapters/store/ingest-side/sqlite-ingest-side.ts';
import type { IngestThreadWrites } from '../../adapters/store/writing-side/sqlite-writing-side.ts';
import { relatingByReadings } from '../../domain/memories/relating-by-readings.ts';
import { callsOver } from '../../lib/threads/rpc.ts';
import type { Log } from '../log.ts';
import type { ReadingCommands } from '../writer-thread/ingest-link.ts';
import type { IngestSettings } from './settings.ts';

export interface OpenedIngestSide extends IngestSide {
  close(): void | Promise<void>;
}

export interface IngestSideOptions {
  readonly settings: Pick<IngestSettings, 'file' | 'postgres'>;
  /** The port to the writer. */
  readonly writer: MessagePort;
  readonly reading: ReadingCommands;
  readonly log: Pick<Log, 'warn'>;
}

const nothing = (): void => undefined;

const openOnPostgres = async (
  postgres: NonNullable<IngestSettings['postgres']>,
  { reading, log }: IngestSideOptions,
): Promise<() => OpenedIngestSide> => {
  const [{ openPool }, { openPostgresWritingSide }, { openPostgresIngestSide }] = await Promise.all([
    import('../../adapters/store/postgres/connection.ts'),
    import('../../adapters/store/writing-side/postgres-writing-side.ts'),
    import('../../adapters/store/ingest-side/postgres-ingest-side.ts'),
  ]);
  const lost = (error: Error): void => log.warn({ err: error }, 'A connection to PostgreSQL ended.');
  return () => {
    const pool = openPool({ ...postgres, lost });
    const relating = relatingByReadings(reading.readStatements);
    const writing = openPostgresWritingSide(pool, {
      ...{ now: Date.now, relating, changed: nothing, retried: nothing },
    });
    return { ...openPostgresIngestSide(pool, writing, Date.now), close: () => pool.end() };
  };
};

/** Loads what the database needs; the result opens it, once it is migrated. */
export const loadIngestSide = async (options: IngestSideOptions): Promise<() => OpenedIngestSide> => {
  const { file, postgres } = options.settings;
  if (postgres !== null) return openOnPostgres(postgres, options);
  const { call } = callsOver<IngestThreadWrites>(options.writer);
  return () => openIngestSide({ file, call, now: Date.now });
};
