// Runs the store contract on PostgreSQL, where one can be started.
import { storeContract } from './contract.ts';
import { migratedPostgres, openPostgres } from './open-postgres.ts';
import { describeOnPostgres } from './postgres/with-postgres.ts';

await describeOnPostgres('PostgreSQL', migratedPostgres, (postgres) =>
  storeContract('the store on PostgreSQL', openPostgres(postgres)),
);
