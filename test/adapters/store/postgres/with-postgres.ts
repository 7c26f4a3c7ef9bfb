// The tests of PostgreSQL alone: named as skipped where no server can be started.
import { afterAll, describe, test } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../support/postgres.ts';

/** `prepare` fills a new database. */
export const describeOnPostgres = async (
  name: string,
  prepare: (url: string) => Promise<void>,
  tests: (postgres: TestPostgres) => void,
): Promise<void> => {
  const postgres = await startPostgres(prepare);
  if ('missing' in postgres) {
    describe(name, () => {
      test.skip(`no server could be started: ${postgres.missing}`, () => undefined);
    });
    return;
  }
  afterAll(() => postgres.stop());
  describe(name, () => tests(postgres));
};
