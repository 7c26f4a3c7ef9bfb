// Connections to outside sources: their secrets apart from everything that requests read, the ledger of the items that a
// source showed, and the runs.

export const connections = `
create table connections (
  id text primary key, provider text not null, tags text not null, state text not null, document_limit integer not null,
  metadata text not null, created_by text, created_at integer not null, cursor text, looks integer not null default 0,
  look_due_at integer, wanted_by text, not_before integer not null default 0, held integer not null default 0,
  removals_accepted integer not null default 0, failures integer not null default 0,
  lease text, lease_until integer not null default 0
) strict, without rowid;
create index connections_due on connections (look_due_at) where state = 'active';
create table connection_secrets (connection text primary key, sealed text not null) strict, without rowid;
create table connection_items (
  connection text not null, id text not null, state text not null, mark text not null, face text not null,
  how text not null, seen_in integer not null, taken_mark text, taken_face text, doc text,
  attempts integer not null default 0, due_at integer not null, error_code text, error text,
  primary key (connection, id)
) strict, without rowid;
create index connection_items_by_state on connection_items (connection, state, due_at);
create index connection_items_of_document on connection_items (doc) where doc is not null;
create table sync_runs (
  id text primary key, connection text not null, look integer not null, status text not null, trigger_type text not null,
  started_at integer not null, completed_at integer, processed integer not null default 0, failed integer not null default 0,
  removed integer not null default 0, beyond_limit integer not null default 0, error_code text, error text
) strict, without rowid;
create unique index sync_runs_of_connection on sync_runs (connection, look);
`;
