// The audit log: rows are only added, and only a noted pruning removes those at its beginning.

const REFUSED = "select raise(abort, 'Rows of the audit log are neither changed nor deleted.')";

export const audit = `
create table audit (
  n integer primary key, at integer not null, actor_kind text not null, actor_id text not null, actor_name text not null,
  way text not null, request_id text, action text not null, target_kind text, target_id text, tags text,
  details text not null, hash text not null, address text
) strict;
create index audit_by_time on audit (at);
create index audit_by_action on audit (action, n);
create index audit_addresses on audit (at) where address is not null;
create table audit_head (
  id integer primary key check (id = 1), n integer not null, hash text not null, pruned_n integer not null,
  pruned_hash text not null
) strict;
create trigger audit_not_changed before update of n, at, actor_kind, actor_id, actor_name, way, request_id, action,
  target_kind, target_id, tags, details, hash on audit begin ${REFUSED}; end;
create trigger audit_address_only_dropped before update of address on audit when new.address is not null
  begin ${REFUSED}; end;
create trigger audit_not_deleted before delete on audit when old.n > coalesce((select pruned_n from audit_head), 0)
  begin ${REFUSED}; end;
`;
