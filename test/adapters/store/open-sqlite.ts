// The store on SQLite as the contract tests it, with a look into its file.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openTestStore } from '../../support/store.ts';
import type { OpenStore, Row } from './contract/world.ts';

export const openSqlite: OpenStore = async ({ now }) => {
  const { store, ingest, remembering, file, close } = openTestStore({ now });
  return {
    store,
    ingest,
    remembering,
    close,
    async rows(statement) {
      const look = new DatabaseSync(file, { readOnly: true });
      const rows = look.prepare(statement).all() as Row[];
      look.close();
      return rows;
    },
    async bytes() {
      const folder = dirname(file);
      return Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));
    },
  };
};
