// The writes about members, invitations, sessions and mails, by name. They take the lane of access, which waits for nothing.
import type { AuditNote } from '../../../core/audit.ts';
import type { MemberRecord, TagAccess, TeamRole } from '../../../core/principal.ts';
import type { NamedLease } from '../../../lib/async/background/handover.ts';
import type { Writer } from '../engine/writer.ts';
import type { KeyRecord } from '../ports/keys.ts';
import type { ClaimedMail, MailEnd, NewMail, NoticeMail } from '../ports/team/mails.ts';
import type { InviteRecord, InviteToken, MemberRemoved, SessionRecord } from '../ports/team/team.ts';
import { createKey } from '../queries/access/keys.ts';
import {
  acceptInvite,
  cancelInvite,
  createInvite,
  rejectInvite,
  renewInvite,
} from '../queries/team/invites.ts';
import { claimMail, endMail, giveBackMail, noticeKeys, queueMail } from '../queries/team/mails.ts';
import {
  createMember,
  removeMember,
  setMemberAccess,
  setMemberRole,
  touchMembers,
  verifyMember,
} from '../queries/team/members.ts';
import { createSession, endSession, touchSessions } from '../queries/team/sessions.ts';
import { type Audited, ifDone } from './audited.ts';

type Uses = readonly { id: string; at: number }[];
type Note = AuditNote | null;

const ifOutcome =
  (wanted: string) =>
  ({ outcome }: { outcome: string }) =>
    outcome === wanted ? {} : null;

const whatEnded = (removed: MemberRemoved) => {
  if (removed.outcome !== 'removed') return null;
  const { outcome: _, ...ended } = removed;
  return ended;
};

const createMemberCommands = (writer: Writer, audited: Audited) => ({
  createMember: (member: MemberRecord, key: KeyRecord | null, note: Note) => {
    const create = audited(note, (tx) => createMember(tx, member), ifDone);
    return writer.write(async (tx) => {
      const created = await create(tx);
      if (created && key !== null) await createKey(tx, key);
      return created;
    }, 'access');
  },
  removeMember: (id: string, note: Note) =>
    writer.write(
      audited(note, (tx) => removeMember(tx, id), whatEnded),
      'access',
    ),
  setMemberRole: (id: string, role: TeamRole, note: Note) =>
    writer.write(
      audited(
        note,
        (tx) => setMemberRole(tx, id, role),
        (outcome) => (outcome === 'changed' ? {} : null),
      ),
      'access',
    ),
  setMemberAccess: (id: string, tags: readonly TagAccess[] | null, note: Note) =>
    writer.write(
      audited(note, (tx) => setMemberAccess(tx, id, tags), ifDone),
      'access',
    ),
  verifyMember: (id: string) => writer.write((tx) => verifyMember(tx, id), 'access'),
  touchMembers: (uses: Uses) => writer.together((tx) => touchMembers(tx, uses)),
});

const createInviteCommands = (writer: Writer, now: () => number, audited: Audited) => ({
  createInvite: (invite: InviteRecord, mail: NewMail | null, note: Note) =>
    writer.write(
      audited(note, (tx) => createInvite(tx, invite, mail, now()), ifOutcome('created')),
      'access',
    ),
  renewInvite: (id: string, token: InviteToken, mail: NewMail | null, note: Note) =>
    writer.write(
      audited(
        note,
        (tx) => renewInvite(tx, id, { token, mail }, now()),
        (renewed) => (renewed === null ? null : {}),
      ),
      'access',
    ),
  cancelInvite: (id: string, note: Note) =>
    writer.write(
      audited(note, (tx) => cancelInvite(tx, id), ifDone),
      'access',
    ),
  rejectInvite: (tokenHash: string) => writer.write((tx) => rejectInvite(tx, tokenHash), 'access'),
  acceptInvite: (
    tokenHash: string,
    member: Pick<MemberRecord, 'id' | 'name'>,
    key: KeyRecord | null,
    note: Note,
  ) => {
    const accept = audited(note, (tx) => acceptInvite(tx, tokenHash, member, now()), ifOutcome('accepted'));
    return writer.write(async (tx) => {
      const accepted = await accept(tx);
      if (accepted.outcome === 'accepted' && key !== null) await createKey(tx, key);
      return accepted;
    }, 'access');
  },
});

const createSessionCommands = (writer: Writer, now: () => number, audited: Audited) => ({
  createSession: (session: SessionRecord, mail: NewMail | null, note: Note) =>
    writer.write(
      audited(note, (tx) => createSession(tx, session, mail, now())),
      'access',
    ),
  endSession: (id: string, note: Note) =>
    writer.write(
      audited(note, (tx) => endSession(tx, id), ifDone),
      'access',
    ),
  touchSessions: (uses: Uses) => writer.together((tx) => touchSessions(tx, uses)),
});

export const createTeamCommands = (writer: Writer, now: () => number, audited: Audited) => ({
  ...createMemberCommands(writer, audited),
  ...createInviteCommands(writer, now, audited),
  ...createSessionCommands(writer, now, audited),
  queueMail: (mail: NewMail) => writer.write((tx) => queueMail(tx, mail, now()), 'access'),
  claimMail: (id: string, lease: NamedLease) => writer.together((tx) => claimMail(tx, id, lease, now())),
  giveBackMail: (id: string, lease: string) => writer.together((tx) => giveBackMail(tx, id, lease)),
  endMail: (mail: Pick<ClaimedMail, 'id' | 'lease'>, end: MailEnd) =>
    writer.together((tx) => endMail(tx, mail, end, now())),
  noticeKeys: (mails: readonly NoticeMail[], day: string | null) =>
    writer.together((tx) => noticeKeys(tx, mails, day, now())),
});
