// The audit log: rows are only added, and only a noted pruning removes those at its beginning.
import { REQUEST_ROLE } from './003-requests.ts';

const TEXT = 'text collate "C"';

export const postgresAudit = `
create table audit (
  n bigint primary key, at bigint not null, actor_kind ${TEXT} not null, actor_id ${TEXT} not null,
  actor_name ${TEXT} not null, way ${TEXT} not null, request_id ${TEXT}, action ${TEXT} not null, target_kind ${TEXT},
  target_id ${TEXT}, tags ${TEXT}, details ${TEXT} not null, hash ${TEXT} not null, address ${TEXT}
);
create index audit_by_time on audit (at);
create index audit_by_action on audit (action, n);
create index audit_addresses on audit (at) where address is not null;
create table audit_head (
  id smallint primary key check (id = 1), n bigint not null, hash ${TEXT} not null, pruned_n bigint not null,
  pruned_hash ${TEXT} not null
);
create function audit_kept() returns trigger language plpgsql as $f$ begin
  if tg_op = 'DELETE' and old.n <= (select pruned_n from audit_head) then return old; end if;
  if tg_op = 'UPDATE' and new.address is null and to_jsonb(new) - 'address' = to_jsonb(old) - 'address' then
    return new;
  end if;
  raise exception 'Rows of the audit log are neither changed nor deleted.';
end $f$;
create function audit_not_emptied() returns trigger language plpgsql as $f$ begin
  raise exception 'Rows of the audit log are neither changed nor deleted.';
end $f$;
create trigger audit_rows_stay before update or delete on audit for each row execute function audit_kept();
create trigger audit_stays before truncate on audit for each statement execute function audit_not_emptied();
grant select on public.audit, public.audit_head to ${REQUEST_ROLE};
`;
