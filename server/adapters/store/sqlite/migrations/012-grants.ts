// Grants of programs, and the tokens of the authorization server: hashes of secrets, never the secrets.

export const grants = `
create table grants (
  id text not null primary key, key text not null, client text not null, client_name text not null,
  redirect_host text not null, permission text not null, tags text,
  created_at integer not null, expires_at integer not null, last_used_at integer
) strict, without rowid;

create table oauth_tokens (
  kind text not null, hash text not null, grant_id text, uid text, payload text not null,
  consumed_at integer, expires_at integer,
  primary key (kind, hash)
) strict, without rowid;
create index oauth_tokens_of_grant on oauth_tokens (grant_id) where grant_id is not null;
create index oauth_tokens_by_uid on oauth_tokens (kind, uid) where uid is not null;
create index oauth_tokens_ending on oauth_tokens (expires_at) where expires_at is not null;
`;
