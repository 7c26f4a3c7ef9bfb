// The tests of PostgreSQL alone: named as skipped where no server can be started.
import { afterAll, describe, test } from 'vitest';
import { stopSharedPostgres, type TestPostgres, takeSharedPostgres } from '../../../support/postgres.ts';

/** A start takes longer than most files: all files of a worker share one server. */
const ofWorker = test.extend(
  'serverOfWorker',
  { scope: 'worker' },
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures are needed
  async ({}, { onCleanup }): Promise<null> => {
    onCleanup(stopSharedPostgres);
    return null;
  },
);

/** `prepare` fills a new database; null leaves it empty. */
export const describeOnPostgres = async (
  name: string,
  prepare: ((url: string) => Promise<void>) | null,
  tests: (postgres: TestPostgres) => void,
): Promise<void> => {
  const postgres = await takeSharedPostgres(prepare);
  if ('missing' in postgres) {
    describe(name, () => {
      test.skip(`no server could be started: ${postgres.missing}`, () => undefined);
    });
    return;
  }
  ofWorker.beforeAll(({ serverOfWorker }) => void serverOfWorker);
  afterAll(() => postgres.stop());
  describe(name, () => tests(postgres));
};
