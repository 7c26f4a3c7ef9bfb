// Tests of the plans of SQLite: what looks for documents in work reads no finished one, however many there are.
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, test } from 'vitest';
import { bringForward } from '../../../../server/adapters/store/queries/ingestion/bring-forward.ts';
import { wakeWaiting } from '../../../../server/adapters/store/queries/ingestion/hold.ts';
import {
  countEverything,
  oldestWaiting,
} from '../../../../server/adapters/store/queries/organisation/organisation.ts';
import {
  openSqliteConnection,
  type SqliteConnection,
} from '../../../../server/adapters/store/sqlite/connection.ts';
import { kyselyOver } from '../../../../server/adapters/store/sqlite/dialect.ts';
import type { Db } from '../../../../server/adapters/store/tables/tables.ts';
import { openTestStore } from '../../../support/store.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** The plans of all statements that `work` runs. */
const plansOf = async (work: (db: Db) => Promise<unknown>): Promise<string[]> => {
  const { file, close } = openTestStore();
  const connection = openSqliteConnection(file);
  const explaining = new DatabaseSync(file);
  closing.push(close, connection.close, () => explaining.close());
  const plans: string[] = [];
  const explained: SqliteConnection = {
    ...connection,
    prepare(text) {
      const statement = explaining.prepare(`explain query plan ${text.replaceAll('$', '?')}`);
      plans.push(...statement.all().map(({ detail }) => String(detail)));
      return connection.prepare(text);
    },
  };
  connection.exec('begin');
  await work(kyselyOver(explained));
  connection.exec('rollback');
  return plans.filter((plan) => / documents\b/.test(plan));
};

const WHOLE_TABLE = /^SCAN documents$|documents_(?:all_)?by_/;

const WAITING: Record<string, (db: Db) => Promise<unknown>> = {
  'a start that tries again what waits': (db) => wakeWaiting(db, 1),
  'bringing forward after the clock was set back': (db) => bringForward(db, 1, 1),
  'the oldest document that waits': oldestWaiting,
  'the counts of health': countEverything,
};

test.for(Object.entries(WAITING))('%s reads no finished document', async ([, work]) => {
  const plans = await plansOf(work);
  expect(plans.length).toBeGreaterThan(0);
  expect(plans.filter((plan) => WHOLE_TABLE.test(plan))).toEqual([]);
});
