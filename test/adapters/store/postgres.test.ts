// Runs the store contract on PostgreSQL, where one can be started.
import { afterAll, describe, test } from 'vitest';
import { startPostgres } from '../../support/postgres.ts';
import { storeContract } from './contract.ts';
import { migratedPostgres, openPostgres } from './open-postgres.ts';

const postgres = await startPostgres(migratedPostgres);

if ('missing' in postgres)
  describe('the store on PostgreSQL', () => {
    test.skip(`no server could be started: ${postgres.missing}`, () => undefined);
  });
else {
  afterAll(() => postgres.stop());
  storeContract('the store on PostgreSQL', openPostgres(postgres));
}
