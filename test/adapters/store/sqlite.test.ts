// Runs the store contract on SQLite.
import { afterAll, expect, it } from 'vitest';
import { watchPreparations } from '../../support/preparations.ts';
import { storeContract } from './contract.ts';
import { openSqlite } from './open-sqlite.ts';

const preparations = watchPreparations();
afterAll(() => preparations.stop());

storeContract('the store on SQLite', openSqlite);

it('no statement of the store is prepared again when it is run again', () => {
  expect(preparations.repeated()).toEqual([]);
});
