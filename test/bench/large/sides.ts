// A Memoir on each of the two databases, alone with its Chroma, to be filled with a million chunks.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { onPostgres } from '../../support/on-postgres.ts';
import { startPostgres } from '../../support/postgres.ts';
import type { Filled } from '../support/fill.ts';
import { newFolder, removeFolder, serverEnv } from '../support/memoir.ts';
import { type Listener, startProcess } from '../support/process.ts';
import { startRawChroma } from '../support/raw-chroma.ts';

export interface LargeSide extends Filled {
  readonly pid: number;
  /** Not in Chroma yet. */
  outbox(): Promise<number>;
  /** Stops the server and starts it again. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Written out as in the partial index, so that a look costs the server nothing. */
const UNFINISHED = `select count(*) as n from documents where deleted = 0 and step <> 'done'`;
const OUTBOX = 'select count(*) as n from vector_outbox';

interface Parts {
  readonly dir: string;
  readonly env: Record<string, string>;
  count(statement: string): Promise<number>;
  close(): Promise<void>;
}

const serve = async ({ dir, env, count, close }: Parts): Promise<LargeSide> => {
  const entry = join(import.meta.dirname, '..', 'support', 'serve.ts');
  const settings = { ...serverEnv(dir), ...env };
  let listener: Listener = await startProcess([entry], settings);
  return {
    get url() {
      return listener.url;
    },
    get pid() {
      return listener.pid;
    },
    key: settings.MEMOIR_API_KEY ?? '',
    queue: async () => ({ unfinished: await count(UNFINISHED) }),
    outbox: () => count(OUTBOX),
    async restart() {
      await listener.stop();
      listener = await startProcess([entry], settings);
    },
    async close() {
      await listener.stop();
      await close();
      removeFolder(dir);
    },
  };
};

export const openOnSqlite = async (): Promise<LargeSide> => {
  const dir = newFolder();
  const opened = (): DatabaseSync =>
    new DatabaseSync(join(dir, 'memoir.db'), { readOnly: true, timeout: 5000 });
  let database: DatabaseSync | null = null;
  return serve({
    ...{ dir, env: {} },
    async count(statement) {
      database ??= opened();
      return Number(database.prepare(statement).get()?.n);
    },
    close: async () => database?.close(),
  });
};

export const openOnPostgres = async (): Promise<LargeSide> => {
  const postgres = await startPostgres(null, { durable: true });
  if ('missing' in postgres) throw new Error(`No PostgreSQL could be started: ${postgres.missing}`);
  const database = await postgres.take();
  const chroma = await startRawChroma();
  const pool = new pg.Pool({ connectionString: database, max: 1 });
  return serve({
    dir: newFolder(),
    env: { ...onPostgres(database), CHROMA_URL: chroma.url },
    async count(statement) {
      const { rows } = await pool.query<{ n: string }>(statement);
      return Number(rows[0]?.n);
    },
    async close() {
      await pool.end();
      await chroma.close();
      await postgres.stop();
    },
  });
};
