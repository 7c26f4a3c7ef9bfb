// Promises about members, roles, invitations, sign-in and mail.
import type { PromiseRow } from '../promise.ts';

export const team = [
  {
    id: 'team:members:shape',
    source: 'contract op T1',
    says: 'GET /v3/auth/team/members returns id, name, email, role and joinedAt of every member.',
    ways: ['rest'],
  },
  {
    id: 'team:invite:shape',
    source: 'contract op T2',
    says: 'An invitation answers success, email and role; where no mail is set up it has the link to hand over.',
    ways: ['rest'],
  },
  {
    id: 'team:remove:shape',
    source: 'contract op T3',
    says: 'Removing a member answers success and id.',
    ways: ['rest'],
  },
  {
    id: 'team:role:shape',
    source: 'contract op T4',
    says: 'Changing a role answers success, id and role.',
    ways: ['rest'],
  },
  {
    id: 'team:invitations:shape',
    source: 'contract op T5',
    says: 'GET /v3/auth/team/invitations returns email, role, invitedAt and status of every invitation.',
    ways: ['rest'],
  },
  {
    id: 'team:rights:matrix',
    source: 'ours',
    says: 'Owners manage everything, admins everything but owners and the reset, members what is their own; a personal key and a session have the rights of the member.',
    ways: ['rest'],
  },
  {
    id: 'team:owner:last',
    source: 'ours',
    says: 'The last owner can neither be removed nor lose the role: 409.',
    ways: ['rest'],
  },
  {
    id: 'team:member:tags',
    source: 'contract op S1',
    says: 'A member who is limited to container tags reads and writes in these alone, with each key and program, and a tag to read takes no writes.',
    ways: ['rest'],
  },
  {
    id: 'team:remove:ends',
    source: 'ours',
    says: 'The sessions, personal keys, plugin keys and grants of a member end with the removal; keys of the organisation stay.',
    ways: ['rest'],
  },
  {
    id: 'team:invite:once',
    source: 'ours',
    says: 'The link of an invitation works once, for seven days, until it is canceled or sent again, for the address and the role that were invited.',
    ways: ['rest'],
  },
  {
    id: 'team:keys:never-exceed',
    source: 'ours',
    says: 'A key that a member or an admin makes never has more rights than its maker, also not as a key of the organisation.',
    ways: ['rest'],
  },
  {
    id: 'console:pages:without-mail',
    source: 'ours',
    says: 'Where no mail is set up, people join and sign in with a link that is handed over and a personal key, without a terminal.',
    ways: ['rest'],
  },
  {
    id: 'console:pages:with-mail',
    source: 'ours',
    says: 'Where mail is set up, one mail carries an invitation, opening its link uses nothing up, and a member signs in by a link that works once.',
    ways: ['rest'],
  },
  {
    id: 'console:session:cookie',
    source: 'ours',
    says: 'A session is an HttpOnly, SameSite=Strict cookie that holds no key.',
    ways: ['rest'],
  },
  {
    id: 'console:session:own-pages',
    source: 'ours',
    says: 'The cookie counts for operations and in requests of pages of this server alone; every other request with it gets 401.',
    ways: ['rest'],
  },
  {
    id: 'console:session:ends',
    source: 'ours',
    says: 'A session ends when its member signs out or ends it, and when its key ends.',
    ways: ['rest'],
  },
  {
    id: 'mail:outbox:retries',
    source: 'ours',
    says: 'A mail is tried seven times within 21 hours while the mail server fails, and not again after a final refusal.',
    ways: ['rest'],
  },
  {
    id: 'mail:expiry:once',
    source: 'ours',
    says: 'Keys that end are told seven days and one day before, each once, at most one digest a person and day.',
    ways: ['rest'],
  },
  {
    id: 'client:cli:team',
    source: 'contract §4.3',
    says: 'The command line of npm supermemory 4.25.4 lists members and invites with a full key or a key of an owner; the key of a plugin gets 403.',
    ways: ['rest'],
  },
  {
    id: 'signin:oidc:member',
    source: 'ours',
    says: 'A provider of identities signs in members by their verified address, and makes members of the domains that may join by themselves.',
    ways: ['rest'],
  },
] as const satisfies readonly PromiseRow[];
