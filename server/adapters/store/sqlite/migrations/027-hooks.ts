// Webhooks of connections: their making and renewal as a duty, and what is still to be ended after a connection is removed.

/** The former table of hooks was never filled. */
export const hooks = `
alter table connections add column hooks_due_at integer default 0;
alter table connections add column hooks_failures integer not null default 0;
alter table connections add column hooks_problem text;
create index connections_hooks_due on connections (hooks_due_at) where hooks_due_at is not null;
drop table connection_hooks;
create table connection_hooks (
  token_hash text primary key, connection text not null, sealed text not null, base text not null,
  watches text not null, by_hand integer not null, made_at integer not null, ends_at integer, heard_at integer
) strict, without rowid;
create index connection_hooks_of_connection on connection_hooks (connection);
create index hook_deliveries_by_time on hook_deliveries (at);
create table connection_farewells (
  id text primary key, provider text not null, account text, email text, app text, metadata text not null, sealed text,
  watches text not null, attempts integer not null default 0, due_at integer not null, lease text
) strict, without rowid;
create index connection_farewells_due on connection_farewells (due_at);
`;
