// Members, invitations, sessions and the outbox of mails. Keys that exist already belong to the organisation.

export const team = `
alter table keys add column owner text;
alter table keys add column role text;
alter table keys add column replaced_by text;
create index keys_of_owner on keys (owner) where owner is not null;
create table members (
  id text primary key, email text not null unique, email_verified integer not null, name text not null,
  role text not null, tags text, created_at integer not null, last_seen_at integer
) strict, without rowid;
create table invites (
  id text primary key, email text not null, role text not null, tags text, token_hash text not null unique,
  inviter text, inviter_name text not null, invited_at integer not null, expires_at integer not null,
  status text not null, accepted_at integer, mailed integer not null
) strict, without rowid;
create unique index invites_pending on invites (email) where status = 'pending';
create table sessions (
  id text primary key, hash text not null unique, member text, key text, created_at integer not null,
  last_seen_at integer not null, expires_at integer not null, user_agent text not null
) strict, without rowid;
create index sessions_of_member on sessions (member) where member is not null;
create table mails (
  id text primary key, kind text not null, recipient text not null, state text not null,
  attempts integer not null default 0, next_at integer not null, created_at integer not null, ended_at integer,
  error text, lease text, lease_until integer not null default 0
) strict, without rowid;
create index mails_due on mails (next_at) where state = 'queued';
create table mail_contents (mail text primary key, content text not null) strict, without rowid;
create table key_notices (
  key text not null, threshold_days integer not null, expires_at integer not null, told_at integer not null,
  primary key (key, threshold_days, expires_at)
) strict, without rowid;
`;
