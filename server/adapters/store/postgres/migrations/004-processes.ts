// The processes that use the database, each with the time at which it was last alive by the clock of the database.
export const postgresProcesses = `
create table processes (
  id text collate "C" primary key,
  place text not null,
  version text not null,
  seen_at timestamptz not null default clock_timestamp()
);`;
