// Webhooks of connections: their making and renewal as a duty, and what is still to be ended after a connection is removed.
// Requests read all of a hook but its secret.
import { REQUEST_ROLE } from './003-requests.ts';

const TEXT = 'text collate "C"';

/** The former table of hooks was never filled. */
export const postgresHooks = `
alter table connections add column hooks_due_at bigint default 0,
  add column hooks_failures integer not null default 0, add column hooks_problem ${TEXT};
create index connections_hooks_due on connections (hooks_due_at) where hooks_due_at is not null;
drop table connection_hooks;
create table connection_hooks (
  token_hash ${TEXT} primary key, connection ${TEXT} not null, sealed ${TEXT} not null, base ${TEXT} not null,
  watches ${TEXT} not null, by_hand smallint not null, made_at bigint not null, ends_at bigint, heard_at bigint
);
create index connection_hooks_of_connection on connection_hooks (connection);
create index hook_deliveries_by_time on hook_deliveries (at);
create table connection_farewells (
  id ${TEXT} primary key, provider ${TEXT} not null, account ${TEXT}, email ${TEXT}, app ${TEXT},
  metadata ${TEXT} not null, sealed ${TEXT}, watches ${TEXT} not null, attempts integer not null default 0,
  due_at bigint not null, lease ${TEXT}
);
create index connection_farewells_due on connection_farewells (due_at);
grant select (token_hash, connection, watches, by_hand, made_at, ends_at, heard_at)
  on public.connection_hooks to ${REQUEST_ROLE};
`;
