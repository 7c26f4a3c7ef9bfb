// Runs the store contract on SQLite.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, it } from 'vitest';
import { watchPreparations } from '../../support/preparations.ts';
import { openTestStore } from '../../support/store.ts';
import type { OpenStore, Row } from './contract/world.ts';
import { storeContract } from './contract.ts';

const preparations = watchPreparations();
afterAll(() => preparations.stop());

const openSqlite: OpenStore = async ({ now }) => {
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

storeContract('the store on SQLite', openSqlite);

it('no statement of the store is prepared again when it is run again', () => {
  expect(preparations.repeated()).toEqual([]);
});
