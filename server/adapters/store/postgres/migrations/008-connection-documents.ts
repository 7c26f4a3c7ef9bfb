// Documents that connections brought, folders and selections in the ledger, counts of runs, hooks, and states of sign-ins.
import { REQUEST_SCHEMA } from './003-requests.ts';

const TEXT = 'text collate "C"';
const RUN_COUNTS = ['looked', 'added', 'updated', 'unchanged', 'skipped', 'requests', 'bytes', 'waited_ms'];

/** A view has the columns that its table had when it was made. */
const documentsView = `
create or replace view ${REQUEST_SCHEMA}.documents as select * from public.documents
  where (select ${REQUEST_SCHEMA}.reads_everything()) or container in (select ${REQUEST_SCHEMA}.reached());`;

export const postgresConnectionDocuments = `
alter table documents add column connection ${TEXT};
${documentsView}
create index documents_of_connection on documents (connection) where connection is not null;
alter table connections add column account ${TEXT}, add column email ${TEXT}, add column choice ${TEXT},
  add column app ${TEXT}, add column grant_ends_at bigint, add column problem ${TEXT},
  add column keeps_documents smallint not null default 0;
create index connections_removing on connections (id) where state = 'removing';
alter table connection_items add column kind ${TEXT} not null default 'file', add column parent ${TEXT},
  add column tags ${TEXT}, add column bytes bigint, add column content_mark ${TEXT};
create index connection_items_in_folder on connection_items (connection, parent) where parent is not null;
alter table sync_runs ${RUN_COUNTS.map((name) => `add column ${name} bigint not null default 0`).join(', ')};
create table connection_hooks (
  token_hash ${TEXT} primary key, connection ${TEXT} not null, remote_id ${TEXT} not null, how ${TEXT} not null,
  sealed ${TEXT} not null, ends_at bigint
);
create index connection_hooks_of_connection on connection_hooks (connection);
create table connection_states (
  hash ${TEXT} primary key, connection ${TEXT} not null, sealed ${TEXT} not null, redirect_url ${TEXT},
  ends_at bigint not null, used_at bigint
);
create index connection_states_of_connection on connection_states (connection);
create table hook_deliveries (
  provider ${TEXT} not null, delivery ${TEXT} not null, at bigint not null, primary key (provider, delivery)
);
`;
