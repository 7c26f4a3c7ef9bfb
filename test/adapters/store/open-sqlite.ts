// The store on SQLite as the contract tests it, with a look into its file.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  openSqliteConnection,
  type SqliteConnection,
} from '../../../server/adapters/store/sqlite/connection.ts';
import { hasVector, SLOTS } from '../../../server/lib/vectors/code.ts';
import { openTestStore } from '../../support/store.ts';
import type { OpenStore, Row } from './contract/world.ts';

/** The numbers of the slots that hold a vector. */
const slotsOf = (block: number, data: Uint8Array, dimensions: number): number[] => {
  if (data.byteLength === 0) throw new Error(`Block ${block} is stored and empty.`);
  const numbers = Array.from({ length: SLOTS }, (_, slot) => block * SLOTS + slot);
  return numbers.filter((n) => hasVector(data, dimensions, n));
};

/** With those of the connection itself, and those inside the keyword index. */
const tablesOf = (file: string): string[] => {
  const look = new DatabaseSync(file, { readOnly: true });
  const rows = look.prepare("select name from sqlite_master where type in ('table', 'view')").all();
  look.close();
  const names = rows.map(({ name }) => `"${name}"`);
  return [...names, ...names.map((name) => `main.${name}`), 'sqlite_master', 'sqlite_sequence'];
};

const tricksOf = (file: string): string[] => [
  'select * from "DOCUMENTS"',
  'select 1; select * from documents',
  `attach database '${file}' as other`,
  'select * from other.documents',
  `vacuum into '${file}.copy'`,
  'pragma query_only = off',
  'pragma writable_schema = on',
  'pragma foreign_key_check(documents)',
  'select * from pragma_table_info(1)',
  'create temp view visible_stolen as select * from main.documents',
  'select * from visible_stolen',
  'create temp table stolen as select * from main.documents',
  'create virtual table temp.stolen_words using fts5vocab(main, chunk_words, row)',
  'select * from stolen_words',
  'select * from sqlite_dbpage',
  'select * from temp.sqlite_master',
  'savepoint mine',
];

export const openSqlite: OpenStore = async (options) => {
  const { store, ingest, remembering, merges, syncing, hookDuty, file, close } = openTestStore(options);
  let opened: SqliteConnection | null = null;
  const requests = (): SqliteConnection => {
    opened ??= openSqliteConnection(file, { readOnly: true, scopedReads: true });
    return opened;
  };
  return {
    store,
    ingest,
    remembering,
    merges,
    syncing,
    hookDuty,
    async close() {
      opened?.close();
      await close();
    },
    async rows(statement) {
      const look = new DatabaseSync(file, { readOnly: true });
      const rows = look.prepare(statement).all() as Row[];
      look.close();
      return rows;
    },
    asRequest: async (_reads, statement) => requests().prepare(statement).all([]) as Row[],
    requestSide: async () => ({ tables: tablesOf(file), tricks: tricksOf(file) }),
    async meddle(statements) {
      const intruder = new DatabaseSync(file, { timeout: 10_000 });
      intruder.exec(statements);
      intruder.close();
    },
    async vectors(space) {
      const look = new DatabaseSync(file, { readOnly: true });
      const [{ dimensions } = { dimensions: 0 }] = look
        .prepare('select dimensions from spaces where id = ?')
        .all(space);
      const blocks = look
        .prepare('select block, data from vector_blocks where space = ? order by block')
        .all(space);
      look.close();
      return blocks.flatMap(({ block, data }) =>
        slotsOf(Number(block), data as Uint8Array, Number(dimensions)),
      );
    },
    async words() {
      const look = new DatabaseSync(file, { readOnly: true });
      const rows = look.prepare('select rowid as n from chunk_words order by n').all();
      look.close();
      return rows.map(({ n }) => Number(n));
    },
    async bytes() {
      const folder = dirname(file);
      return Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));
    },
  };
};
