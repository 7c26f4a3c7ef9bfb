// The statements that SQLite prepares again when they are run again, told by the authorizer, which it asks whenever it
// prepares one.
import { constants, DatabaseSync, type StatementSync } from 'node:sqlite';

interface Runs {
  /** After the first on its connection. */
  repeated: number;
  prepared: number;
}

export interface Preparations {
  /** Statements that were prepared again at most of their repeated runs. */
  repeated(): string[];
  stop(): void;
}

/** FTS5 prepares statements of its own when it first needs them. */
const NOT_BY_CHANCE = 3;

export const watchPreparations = (): Preparations => {
  const { prepare, setAuthorizer } = DatabaseSync.prototype;
  const all = new Map<string, Runs>();
  const authorized = new WeakSet<DatabaseSync>();
  let asked = 0;

  const watched = <Arguments extends unknown[], Result>(
    statement: StatementSync,
    run: (...parameters: Arguments) => Result,
  ) => {
    let isFirst = true;
    return (...parameters: Arguments): Result => {
      const before = asked;
      const result = run.apply(statement, parameters);
      const runs = all.get(statement.sourceSQL) ?? { repeated: 0, prepared: 0 };
      if (!isFirst) {
        runs.repeated += 1;
        if (asked > before) runs.prepared += 1;
      }
      isFirst = false;
      all.set(statement.sourceSQL, runs);
      return result;
    };
  };

  DatabaseSync.prototype.setAuthorizer = function (callback) {
    authorized.add(this);
    setAuthorizer.call(this, (...told) => {
      asked += 1;
      return callback?.(...told) ?? constants.SQLITE_OK;
    });
  };
  DatabaseSync.prototype.prepare = function (...given) {
    if (!authorized.has(this)) this.setAuthorizer(() => constants.SQLITE_OK);
    const statement = prepare.apply(this, given);
    statement.all = watched(statement, statement.all) as StatementSync['all'];
    statement.run = watched(statement, statement.run) as StatementSync['run'];
    return statement;
  };

  return {
    repeated: () =>
      [...all].flatMap(([sql, { repeated, prepared }]) =>
        prepared >= NOT_BY_CHANCE && 2 * prepared > repeated ? [sql] : [],
      ),
    stop() {
      Object.assign(DatabaseSync.prototype, { prepare, setAuthorizer });
    },
  };
};
