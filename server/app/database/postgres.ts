// A PostgreSQL as the database. No thread writes for the others: the database takes the writes of several connections.
import { hostname } from 'node:os';
import type { Pool } from 'pg';
import { openPool } from '../../adapters/store/postgres/connection.ts';
import { databasePlace } from '../../adapters/store/postgres/opening/explain.ts';
import { prepareDatabase } from '../../adapters/store/postgres/opening/prepare.ts';
import { enterProcess } from '../../adapters/store/postgres/opening/processes.ts';
import { openPostgresStore } from '../../adapters/store/request-side/postgres-store.ts';
import { openPostgresWritingSide } from '../../adapters/store/writing-side/postgres-writing-side.ts';
import type { PostgresConfig } from '../../config/settings/database.ts';
import type { PartHealth } from '../../core/health.ts';
import { VERSION } from '../../core/version.ts';
import { messageOf } from '../../lib/failures.ts';
import { newId } from '../../lib/ids.ts';
import { directCall } from '../../lib/threads/direct-call.ts';
import { connectionShares } from '../ingest-settings.ts';
import type { Log } from '../log.ts';
import type { WriterCommands } from '../writer-thread/commands.ts';
import type { WriterThread } from '../writer-thread/handle.ts';
import { createWriterCommands } from '../writer-thread/serve-writes.ts';
import type { OpenedDatabase } from './database.ts';

const openWriter = (pool: Pool, leave: () => Promise<void>): WriterThread => {
  const commands = createWriterCommands((hooks) => ({
    commands: openPostgresWritingSide(pool, { now: Date.now, ...hooks }).commands,
    ingest: null,
    async close() {
      await leave();
      await pool.end();
    },
  }));
  return { call: directCall<WriterCommands>(commands), stop: commands.stop };
};

const createDatabaseHealth =
  (pools: readonly Pool[], place: string, version: string) => async (): Promise<PartHealth> => {
    const [pool] = pools;
    const open = pools.reduce((sum, { totalCount }) => sum + totalCount, 0);
    try {
      await pool?.query('select 1');
    } catch (error) {
      return {
        status: 'down',
        detail: `${place} does not answer (${messageOf(error)}); requests get 503 until it does, and this process connects by itself`,
      };
    }
    return { status: 'ok', detail: `PostgreSQL ${version}, ${place}, ${open} connections for requests` };
  };

export interface PostgresOptions {
  readonly settings: PostgresConfig;
  readonly queryDeadlineMs: number;
  readonly log: Pick<Log, 'warn'>;
  /** Called when another process works in the place of this one. */
  readonly replaced: (reason: Error) => void;
}

const enter = async (pool: Pool, { log, replaced }: PostgresOptions): Promise<() => Promise<void>> => {
  const entry = {
    id: newId(),
    place: `process ${process.pid} on ${hostname()}`,
    version: VERSION,
  };
  try {
    const failed = (error: unknown): void =>
      log.warn({ err: error }, 'The database was not told that this process is alive.');
    return (await enterProcess(pool, entry, { replaced, failed })).leave;
  } catch (error) {
    await pool.end();
    throw error;
  }
};

export const openPostgresDatabase = async (options: PostgresOptions): Promise<OpenedDatabase> => {
  const { settings, queryDeadlineMs, log } = options;
  const version = await prepareDatabase(settings.directUrl);
  const shares = connectionShares(settings.connections);
  const lost = (error: Error): void => log.warn({ err: error }, 'A connection to PostgreSQL ended.');
  const place = { url: settings.url, prepared: !settings.pooled, lost };
  const writing = openPool({ ...place, most: shares.writing });
  const leave = await enter(writing, options);
  const reading = openPool({ ...place, most: shares.reading, pipeline: true });
  const writer = openWriter(writing, leave);
  const commands = { pool: reading, now: Date.now, queryDeadlineMs };
  const name = databasePlace(settings.url);
  return {
    writer,
    place: name,
    openStore: () => ({
      ...openPostgresStore({ ...commands, call: writer.call }),
      close: () => reading.end(),
    }),
    health: createDatabaseHealth([reading, writing], name, version),
  };
};
