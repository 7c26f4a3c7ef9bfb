// Members, invitations, sessions and mails for the request side: reads here, writes on the writing thread.
import { createHandover, type HeldLease } from '../../../lib/async/background/handover.ts';
import { newId } from '../../../lib/ids.ts';
import type { Call } from '../../../lib/threads/rpc.ts';
import type { MailStore } from '../ports/team/mails.ts';
import type { TeamStore } from '../ports/team/team.ts';
import { inviteBy, listInvites } from '../queries/team/invites.ts';
import { countMails, dueMail, lastNotices } from '../queries/team/mails.ts';
import { listMembers, memberBy } from '../queries/team/members.ts';
import { listSessions, sessionByHash } from '../queries/team/sessions.ts';
import type { Db } from '../tables/tables.ts';
import type { WritingCommands } from '../writing-side/commands.ts';

type WriteCall = Call<WritingCommands>;

export const createTeamStore = (db: Db, call: WriteCall): TeamStore => ({
  members: {
    list: () => listMembers(db),
    byId: (id) => memberBy(db, 'id', id),
    byEmail: (email) => memberBy(db, 'email', email),
    create: (member, key, note = null) => call('createMember', member, key, note),
    giveKey: (key) => call('createKey', key),
    remove: (id, note = null) => call('removeMember', id, note),
    setRole: (id, role, note = null) => call('setMemberRole', id, role, note),
    setAccess: (id, tags, note = null) => call('setMemberAccess', id, tags, note),
    verify: (id) => call('verifyMember', id),
    touch: (uses) => call('touchMembers', uses),
  },
  invites: {
    list: () => listInvites(db),
    byId: (id) => inviteBy(db, 'id', id),
    byToken: (hash) => inviteBy(db, 'token_hash', hash),
    create: (invite, mail, note = null) => call('createInvite', invite, mail, note),
    renew: (id, token, mail, note = null) => call('renewInvite', id, token, mail, note),
    cancel: (id, note = null) => call('cancelInvite', id, note),
    accept: (tokenHash, member, key, note = null) => call('acceptInvite', tokenHash, member, key, note),
    reject: (tokenHash) => call('rejectInvite', tokenHash),
  },
  sessions: {
    byHash: (hash) => sessionByHash(db, hash),
    list: (whose) => listSessions(db, whose),
    create: (session, mail, note = null) => call('createSession', session, mail, note),
    end: (id, note = null) => call('endSession', id, note),
    touch: (uses) => call('touchSessions', uses),
  },
});

export const createMailStore = (db: Db, call: WriteCall, now: () => number): MailStore => {
  const handover = createHandover(({ lease, work }: HeldLease<string>) => call('giveBackMail', work, lease));
  return {
    queue: (mail) => call('queueMail', mail),
    counts: () => countMails(db),
    claim: (forMs) =>
      handover.claim(
        newId(),
        () => dueMail(db, now()),
        ({ lease, work }) => call('claimMail', work, { lease, forMs }),
      ),
    end: (mail, end) => call('endMail', mail, end),
    noticed: () => lastNotices(db),
    notice: (mails, day) => call('noticeKeys', mails, day),
  };
};
