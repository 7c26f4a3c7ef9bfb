// Connections to outside sources. Requests read all of it but the secrets.
import { REQUEST_ROLE } from './003-requests.ts';

const TEXT = 'text collate "C"';

export const postgresConnections = `
create table connections (
  id ${TEXT} primary key, provider ${TEXT} not null, tags ${TEXT} not null, state ${TEXT} not null,
  document_limit integer not null, metadata ${TEXT} not null, created_by ${TEXT}, created_at bigint not null,
  cursor ${TEXT}, looks bigint not null default 0, look_due_at bigint, wanted_by ${TEXT},
  not_before bigint not null default 0, held bigint not null default 0, removals_accepted smallint not null default 0,
  failures integer not null default 0, lease ${TEXT}, lease_until bigint not null default 0
);
create index connections_due on connections (look_due_at) where state = 'active';
create table connection_secrets (connection ${TEXT} primary key, sealed ${TEXT} not null);
create table connection_items (
  connection ${TEXT} not null, id ${TEXT} not null, state ${TEXT} not null, mark ${TEXT} not null, face ${TEXT} not null,
  how ${TEXT} not null, seen_in bigint not null, taken_mark ${TEXT}, taken_face ${TEXT}, doc ${TEXT},
  attempts integer not null default 0, due_at bigint not null, error_code ${TEXT}, error ${TEXT},
  primary key (connection, id)
);
create index connection_items_by_state on connection_items (connection, state, due_at);
create index connection_items_of_document on connection_items (doc) where doc is not null;
create table sync_runs (
  id ${TEXT} primary key, connection ${TEXT} not null, look bigint not null, status ${TEXT} not null,
  trigger_type ${TEXT} not null, started_at bigint not null, completed_at bigint, processed bigint not null default 0,
  failed bigint not null default 0, removed bigint not null default 0, beyond_limit bigint not null default 0,
  error_code ${TEXT}, error ${TEXT}
);
create unique index sync_runs_of_connection on sync_runs (connection, look);
grant select on public.connections, public.connection_items, public.sync_runs to ${REQUEST_ROLE};
`;
