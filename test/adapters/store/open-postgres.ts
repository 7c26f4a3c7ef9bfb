// The store on PostgreSQL as the contract tests it, with a look into its tables.
import type { Pool } from 'pg';
import { run } from '../../../server/adapters/store/engine/run.ts';
import { openPostgresIngestSide } from '../../../server/adapters/store/ingest-side/postgres-ingest-side.ts';
import { openPool } from '../../../server/adapters/store/postgres/connection.ts';
import type { DatabaseLink } from '../../../server/adapters/store/postgres/link.ts';
import { migratePostgres } from '../../../server/adapters/store/postgres/migrate.ts';
import { createScopedReads } from '../../../server/adapters/store/postgres/scoped-reads.ts';
import { openPostgresStore } from '../../../server/adapters/store/request-side/postgres-store.ts';
import { openPostgresWritingSide } from '../../../server/adapters/store/writing-side/postgres-writing-side.ts';
import { defined } from '../../../server/lib/defined.ts';
import { directCall } from '../../../server/lib/threads/direct-call.ts';
import type { TestPostgres } from '../../support/postgres.ts';
import type { OpenStore, Row } from './contract/world.ts';

const CONNECTIONS = 4;
const DEADLINE_MS = 60_000;

const numbers = async (pool: Pool, statement: string): Promise<number[]> =>
  (await pool.query<{ n: number }>(statement)).rows.map(({ n }) => n);

const TABLES = `select quote_ident(relname) as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`;

/** The files belong to the server, which writes over erased rows in its own time. */
const rowsOfAllTables = async (pool: Pool): Promise<Buffer> => {
  const tables = (await pool.query<{ name: string }>(TABLES)).rows;
  const texts = await Promise.all(
    tables.map(({ name }) => pool.query<{ row: string }>(`select each::text as row from ${name} as each`)),
  );
  return Buffer.from(texts.flatMap(({ rows }) => rows.map(({ row }) => row)).join('\n'));
};

/** With the partitions and the views. Without a schema a name leads to the view, where there is one. */
const CATALOGUE = `select quote_ident(nspname) || '.' || quote_ident(relname) as name
  from pg_class inner join pg_namespace on pg_namespace.oid = relnamespace
  where nspname !~ '^pg_|^information_schema$' and relkind in ('r', 'p', 'v', 'm', 'f')`;

const FREE = "with free as materialized (select set_config('memoir.reads', 'null', true) as now)";

const TRICKS = [
  'table public.documents',
  'select * from only public.documents',
  'explain analyze select * from public.documents',
  'copy public.documents to stdout',
  'declare mine cursor for select * from public.documents',
  'prepare mine as select * from public.documents',
  'select documents from public.documents',
  `select set_config('memoir.reads', 'null', true), each.* from documents as each`,
  `select "set_config"('memoir.reads', 'null', true), each.* from documents as each`,
  `select U&"set\\005fconfig"('memoir.reads', 'null', true), each.* from documents as each`,
  `${FREE} select * from free, documents`,
  `with free as materialized (select set_config('role', 'none', true) as now)
    select query_to_xml('select * from public.documents', true, false, '') from free`,
  `select query_to_xml('select * from public.documents', true, false, '') as found`,
  "set memoir.reads = 'null'",
  'reset role',
  'set session authorization default',
  'select 1 as one; reset role; select * from public.documents',
  'commit; begin; select * from public.documents',
  'do $f$ begin reset role; end $f$',
  'select * from pg_stats',
  'select * from pg_statistic',
  'select query from pg_stat_activity',
];

const open = (url: string, pipeline = false): Pool =>
  openPool({ url, most: CONNECTIONS, lost: () => undefined, pipeline });

export const migratedPostgres = async (url: string): Promise<void> => {
  const pool = open(url);
  await migratePostgres(pool);
  await pool.end();
};

/** On a database that is there already, and that stays. */
export const openPostgresAt =
  (url: string, link?: Pick<DatabaseLink, 'onLoss'>): OpenStore =>
  async ({ now, between = (handlers) => handlers, ...limits }) => {
    const pool = open(url, true);
    const reading = open(url, true);
    const nothing = (): void => undefined;
    const writing = openPostgresWritingSide(pool, {
      now,
      changed: nothing,
      retried: nothing,
      relating: null,
    });
    const { ingest, memories, merges, connections, hooks } = openPostgresIngestSide(
      pool,
      { ...writing, ingest: between(writing.ingest) },
      { now, ...defined({ link }) },
    );
    const { commands } = writing;
    return {
      store: openPostgresStore({
        ...{
          pool: reading,
          call: directCall(between(commands)),
          now,
          queryDeadlineMs: DEADLINE_MS,
          ...limits,
        },
      }),
      ingest,
      remembering: memories,
      merges,
      syncing: connections,
      hookDuty: hooks,
      rows: async (statement) => (await pool.query<Row>(statement)).rows,
      asRequest: async (reads, statement) =>
        (await run<Row>(createScopedReads(reading, DEADLINE_MS).of({ reads }), statement)).rows,
      async requestSide() {
        const { rows } = await pool.query<{ name: string }>(CATALOGUE);
        return { tables: rows.map(({ name }) => name), tricks: TRICKS };
      },
      meddle: async (statements) => void (await pool.query(statements)),
      vectors: (space) => numbers(pool, `select n from vector_rows where space = ${space} order by n`),
      words: () => numbers(pool, 'select n from chunk_words order by n'),
      bytes: () => rowsOfAllTables(pool),
      close: async () => void (await Promise.all([pool.end(), reading.end()])),
    };
  };

export const openPostgres =
  (postgres: TestPostgres): OpenStore =>
  async (options) => {
    const url = await postgres.take();
    const opened = await openPostgresAt(url)(options);
    return {
      ...opened,
      async close() {
        await opened.close();
        await postgres.giveBack(url);
      },
    };
  };
