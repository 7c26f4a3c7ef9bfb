// A PostgreSQL as one side of a move.
import type { Pool } from 'pg';
import { run } from '../engine/run.ts';
import { openPool } from '../postgres/connection.ts';
import { kyselyOnConnection } from '../postgres/dialect.ts';
import { databaseCode } from '../postgres/faults.ts';
import { endWithLink, watchLink } from '../postgres/link.ts';
import { CONTAINER_RANGES, CONTAINERS_OF_A_RANGE } from '../postgres/migrations/001-tables.ts';
import { databasePlace } from '../postgres/opening/explain.ts';
import { prepareDatabase } from '../postgres/opening/prepare.ts';
import { LIVING_PROCESSES } from '../postgres/processes/processes.ts';
import { createPostgresWriter } from '../postgres/writer.ts';
import type { Db } from '../tables/tables.ts';
import type { MovedRow } from './moved-tables.ts';
import type { MovingSide } from './moving-side.ts';
import { postgresVectorRows } from './postgres-vector-rows.ts';

const CONNECTIONS = 2;
const UNIQUE_VIOLATION = '23505';
/** A statement of PostgreSQL has at most 65,535 parameters. */
const MOST_PARAMETERS = 20_000;

const STORED = `select column_name::text as name from information_schema.columns
  where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by column_name collate "C"`;

/** Partitions belong to the table that they are a part of. */
const TABLES = `select relname::text as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`;

const insertSome = async (
  tx: Db,
  table: string,
  columns: readonly string[],
  rows: readonly MovedRow[],
): Promise<void> => {
  const places = rows.map(
    (_, at) => `(${columns.map((_column, place) => `$${at * columns.length + place + 1}`).join(', ')})`,
  );
  await run(
    tx,
    `insert into ${table} (${columns.join(', ')}) overriding system value values ${places.join(', ')}`,
    rows.flatMap((row) => columns.map((column) => row[column])),
  );
};

const insertInto: MovingSide['insert'] = async (tx, table, columns, rows) => {
  const most = Math.floor(MOST_PARAMETERS / columns.length);
  for (let at = 0; at < rows.length; at += most)
    await insertSome(tx, table, columns, rows.slice(at, at + most));
};

/** The tables whose numbers the database deals out, each with the column. */
const NUMBERED: Readonly<Record<string, string>> = {
  documents: 'n',
  submissions: 'n',
  merges: 'n',
  requests: 'n',
  spaces: 'id',
};

const continueNumbers = async (tx: Db): Promise<void> => {
  for (const [table, column] of Object.entries(NUMBERED))
    await run(
      tx,
      `select setval(pg_get_serial_sequence('${table}', '${column}'), max(${column})) from ${table}
         having max(${column}) is not null`,
    );
  // Container numbers are dealt out over the ranges in turns, each range from its beginning.
  await run(
    tx,
    `select setval('container_numbers', max((n - 1) % ${CONTAINERS_OF_A_RANGE} + 1) * ${CONTAINER_RANGES}, false)
       from containers having max(n) is not null`,
  );
};

/** The numbers of chunks and memories go on in a table of this database alone. */
const settleNumbers = async (tx: Db): Promise<void> => {
  await run(
    tx,
    `update containers set next_seq = own.next_seq, next_memory = own.next_memory from unit_numbers as own
       where own.container = containers.n and (own.next_seq, own.next_memory)
         is distinct from (containers.next_seq, containers.next_memory)`,
  );
};

const rowNames = async (pool: Pool, statement: string, parameters: unknown[] = []): Promise<string[]> => {
  const { rows } = await pool.query<{ name: string }>(statement, parameters);
  return rows.map(({ name }) => name);
};

/** Its tables are created or migrated first. */
export const openPostgresSide = async (url: string): Promise<MovingSide> => {
  await prepareDatabase(url);
  const link = watchLink({ url });
  const pool = openPool({ url, most: CONNECTIONS, prepared: false, link, lost: () => undefined });
  const db = kyselyOnConnection(pool);
  const writer = createPostgresWriter(pool);
  return {
    place: databasePlace(url),
    db,
    vectors: postgresVectorRows(db),
    tables: () => rowNames(pool, TABLES),
    columns: (table) => rowNames(pool, STORED, [table]),
    write: (work) => writer.write(work),
    insert: insertInto,
    settleNumbers,
    continueNumbers,
    async users() {
      const { rows } = await pool.query<{ place: string }>(LIVING_PROCESSES);
      return rows.map(({ place }) => place);
    },
    isNameTaken: (error) => databaseCode(error) === UNIQUE_VIOLATION,
    async close() {
      await endWithLink(pool, link);
    },
  };
};
