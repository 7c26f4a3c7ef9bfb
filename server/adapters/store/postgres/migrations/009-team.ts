// Members, invitations, sessions and the outbox of mails. Requests read all of it but the contents of mails.
import { REQUEST_ROLE } from './003-requests.ts';

const TEXT = 'text collate "C"';

export const postgresTeam = `
alter table keys add column owner ${TEXT}, add column role ${TEXT}, add column replaced_by ${TEXT};
create index keys_of_owner on keys (owner) where owner is not null;
create table members (
  id ${TEXT} primary key, email ${TEXT} not null unique, email_verified smallint not null, name ${TEXT} not null,
  role ${TEXT} not null, tags ${TEXT}, created_at bigint not null, last_seen_at bigint
);
create table invites (
  id ${TEXT} primary key, email ${TEXT} not null, role ${TEXT} not null, tags ${TEXT},
  token_hash ${TEXT} not null unique, inviter ${TEXT}, inviter_name ${TEXT} not null, invited_at bigint not null,
  expires_at bigint not null, status ${TEXT} not null, accepted_at bigint, mailed smallint not null
);
create unique index invites_pending on invites (email) where status = 'pending';
create table sessions (
  id ${TEXT} primary key, hash ${TEXT} not null unique, member ${TEXT}, key ${TEXT}, created_at bigint not null,
  last_seen_at bigint not null, expires_at bigint not null, user_agent ${TEXT} not null
);
create index sessions_of_member on sessions (member) where member is not null;
create table mails (
  id ${TEXT} primary key, kind ${TEXT} not null, recipient ${TEXT} not null, state ${TEXT} not null,
  attempts integer not null default 0, next_at bigint not null, created_at bigint not null, ended_at bigint,
  error ${TEXT}, lease ${TEXT}, lease_until bigint not null default 0
);
create index mails_due on mails (next_at) where state = 'queued';
create table mail_contents (mail ${TEXT} primary key, content ${TEXT} not null);
create table key_notices (
  key ${TEXT} not null, threshold_days integer not null, expires_at bigint not null, told_at bigint not null,
  primary key (key, threshold_days, expires_at)
);
grant select on public.members, public.invites, public.sessions, public.mails, public.key_notices to ${REQUEST_ROLE};
`;
