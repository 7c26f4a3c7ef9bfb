// The store on SQLite as the contract tests it, with a look into its file.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteConnection } from '../../../server/adapters/store/sqlite/connection.ts';
import { hasVector, SLOTS } from '../../../server/lib/vectors/code.ts';
import { openTestStore } from '../../support/store.ts';
import type { OpenStore, Row } from './contract/world.ts';

/** The numbers of the slots that hold a vector. */
const slotsOf = (block: number, data: Uint8Array, dimensions: number): number[] => {
  if (data.byteLength === 0) throw new Error(`Block ${block} is stored and empty.`);
  const numbers = Array.from({ length: SLOTS }, (_, slot) => block * SLOTS + slot);
  return numbers.filter((n) => hasVector(data, dimensions, n));
};

export const openSqlite: OpenStore = async ({ now }) => {
  const { store, ingest, remembering, merges, syncing, hookDuty, file, close } = openTestStore({ now });
  return {
    store,
    ingest,
    remembering,
    merges,
    syncing,
    hookDuty,
    close,
    async rows(statement) {
      const look = new DatabaseSync(file, { readOnly: true });
      const rows = look.prepare(statement).all() as Row[];
      look.close();
      return rows;
    },
    async asRequest(_reads, statement) {
      const requests = openSqliteConnection(file, { readOnly: true, scopedReads: true });
      try {
        return requests.prepare(statement).all([]) as Row[];
      } finally {
        requests.close();
      }
    },
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
