// What several processes on one database know of each other: their roles and states, the boots that hold leases, and the
// duties that one of them has. The leases of the one process before are void.
export const postgresBoots = `
alter table processes
  add column role text not null default 'all',
  add column spaces text not null default '',
  add column state text;
create table boots (
  id text collate "C" primary key,
  process text collate "C" not null,
  until timestamptz not null
);
create table duties (
  name text collate "C" primary key,
  holder text collate "C" not null
);
update documents set lease = null, lease_boot = null, step = 'queued' where lease is not null;
update documents set memory_lease = null where memory_lease is not null;`;
