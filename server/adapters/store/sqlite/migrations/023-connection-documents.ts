// Documents that connections brought, folders and selections in the ledger, counts of runs, hooks, and states of sign-ins.

export const connectionDocuments = `
alter table documents add column connection text;
create index documents_of_connection on documents (connection) where connection is not null;
alter table connections add column account text;
alter table connections add column email text;
alter table connections add column choice text;
alter table connections add column app text;
alter table connections add column grant_ends_at integer;
alter table connections add column problem text;
alter table connections add column keeps_documents integer not null default 0;
create index connections_removing on connections (id) where state = 'removing';
alter table connection_items add column kind text not null default 'file';
alter table connection_items add column parent text;
alter table connection_items add column tags text;
alter table connection_items add column bytes integer;
alter table connection_items add column content_mark text;
create index connection_items_in_folder on connection_items (connection, parent) where parent is not null;
alter table sync_runs add column looked integer not null default 0;
alter table sync_runs add column added integer not null default 0;
alter table sync_runs add column updated integer not null default 0;
alter table sync_runs add column unchanged integer not null default 0;
alter table sync_runs add column skipped integer not null default 0;
alter table sync_runs add column requests integer not null default 0;
alter table sync_runs add column bytes integer not null default 0;
alter table sync_runs add column waited_ms integer not null default 0;
create table connection_hooks (
  token_hash text primary key, connection text not null, remote_id text not null, how text not null, sealed text not null,
  ends_at integer
) strict, without rowid;
create index connection_hooks_of_connection on connection_hooks (connection);
create table connection_states (
  hash text primary key, connection text not null, sealed text not null, redirect_url text, ends_at integer not null,
  used_at integer
) strict, without rowid;
create index connection_states_of_connection on connection_states (connection);
create table hook_deliveries (
  provider text not null, delivery text not null, at integer not null, primary key (provider, delivery)
) strict, without rowid;
`;
