// Container tags as records of their own, and the jobs that merge one into another.

export const tagRecords = `
alter table tags add column memory_paths text;
alter table tags add column buckets text;

create table merges (
  n integer primary key, id text not null unique, sources text not null, target text not null,
  status text not null, moved integer not null default 0, unnamed integer not null default 0,
  created_at integer not null, updated_at integer not null
) strict;
create index merges_unfinished on merges (n) where status <> 'completed';
`;
