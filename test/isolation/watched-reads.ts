// Watches the statements that requests read with, on both databases.
import { StatementSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { isOnPostgres } from '../support/on-postgres.ts';

export type Read = [statement: string, rows: number];

type Watch = (read: Read) => void;
/** Takes the watch away. */
type Unwatch = () => void;

const watchSqlite = (watch: Watch): Unwatch => {
  const { all } = StatementSync.prototype;
  const run = all as (...parameters: unknown[]) => ReturnType<typeof all>;
  StatementSync.prototype.all = function (...parameters: unknown[]) {
    const rows = run.apply(this, parameters);
    watch([this.sourceSQL, rows.length]);
    return rows;
  };
  return () => {
    StatementSync.prototype.all = all;
  };
};

/** The role that every read of a request takes at the begin of its transaction. */
const BEGIN = /^begin read only; set local role /;

const watchPostgres = (watch: Watch): Unwatch => {
  const { query } = pg.Client.prototype;
  const run = query as (...parameters: unknown[]) => unknown;
  const reading = new WeakSet<pg.Client>();
  const watched = function (this: pg.Client, asked: unknown, ...more: unknown[]) {
    const answer = run.call(this, asked, ...more);
    if (typeof asked === 'string' && BEGIN.test(asked)) reading.add(this);
    else if (asked === 'commit') reading.delete(this);
    else if (reading.has(this)) {
      const { text } = asked as pg.QueryConfig;
      return (answer as Promise<pg.QueryResult>).then((result) => {
        watch([text, result.rows.length]);
        return result;
      });
    }
    return answer;
  };
  pg.Client.prototype.query = watched as typeof query;
  return () => {
    pg.Client.prototype.query = query;
  };
};

/** During the tests of this file. */
export const watchReads = (watch: Watch): void => {
  let unwatch: Unwatch | undefined;
  beforeAll(() => {
    unwatch = isOnPostgres ? watchPostgres(watch) : watchSqlite(watch);
  });
  afterAll(() => unwatch?.());
};
