// What processes on one database count and remember together. A crash of the database may lose it, and nothing more.
export const postgresSharedState = `
create unlogged table rate_counts (
  name text collate "C" primary key,
  count bigint not null,
  ends_at timestamptz not null
);
create index rate_counts_by_end on rate_counts (ends_at);
create unlogged table served (
  n bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  told text not null
);
create index served_by_time on served (at);`;
