// The answer of an invited person. Looking at an invitation uses nothing up, because mail scanners open links.

import type { InviteRecord } from '../../adapters/store/ports/team/team.ts';
import type { AuditNote } from '../../core/audit.ts';
import type { MemberRecord, TagAccess, TeamRole } from '../../core/principal.ts';
import { sha256 } from '../../lib/hash.ts';
import { newId } from '../../lib/ids.ts';
import type { TeamContext } from './context.ts';
import { nameFromEmail } from './present.ts';
import { endedInvite, expiredInvite, isMember, unknownInvite } from './refusals.ts';

/** The invitation as an invited person sees it. */
export interface Invited {
  email: string;
  role: TeamRole;
  containerTags: TagAccess[] | null;
  inviterName: string;
  expiresAt: number;
}

export interface JoinedTeam {
  member: MemberRecord;
  /** A personal key, where nothing else signs the person in; shown once. */
  key: string | null;
  /** The session that began with it. */
  cookie: string;
}

/** One browser at one address. */
export interface Visitor {
  address: string;
  userAgent: string;
}

export interface Joining {
  look(token: string, visitor: Visitor): Promise<Invited>;
  accept(token: string, name: string | undefined, visitor: Visitor): Promise<JoinedTeam>;
  decline(token: string, visitor: Visitor): Promise<void>;
}

const checkOpen = (invite: InviteRecord, now: number): InviteRecord => {
  if (invite.status !== 'pending') throw endedInvite();
  if (invite.expiresAt <= now) throw expiredInvite();
  return invite;
};

export const createJoining = (context: TeamContext): Joining => {
  const { store, access, now, log } = context;

  /** Guesses are counted like wrong keys. */
  async function open(token: string, { address }: Visitor): Promise<InviteRecord> {
    await access.guesses.checkFailures(address);
    const invite = await store.invites.byToken(sha256(token));
    if (invite !== null) return checkOpen(invite, now());
    await access.guesses.failure(address);
    throw unknownInvite();
  }

  async function accept(token: string, name: string | undefined, visitor: Visitor): Promise<JoinedTeam> {
    const invite = await open(token, visitor);
    const id = newId();
    const made = context.signsInWithoutKey ? null : access.personalKey(id, 'Personal key');
    const member = { id, name: name ?? nameFromEmail(invite.email) };
    const note: AuditNote = {
      ...{ action: 'member.join', actor: { kind: 'member', ...member }, way: 'rest', requestId: null },
      ...{ address: visitor.address, target: { kind: 'member', id }, details: { role: invite.role } },
    };
    const accepted = await store.invites.accept(invite.tokenHash, member, made?.record ?? null, note);
    if (accepted.outcome === 'expired') throw expiredInvite();
    if (accepted.outcome === 'member') throw isMember(invite.email);
    if (accepted.outcome !== 'accepted') throw endedInvite();
    log.info({ memberId: id, role: invite.role, inviteId: invite.id }, 'A member joined.');
    const { userAgent } = visitor;
    const cookie = await access.sessions.begin({ memberId: id, keyId: null, userAgent }, null);
    return { member: accepted.member, key: made?.key ?? null, cookie };
  }

  return {
    async look(token, visitor) {
      const { email, role, tags, inviterName, expiresAt } = await open(token, visitor);
      return { email, role, containerTags: tags, inviterName, expiresAt };
    },
    accept,
    async decline(token, visitor) {
      const invite = await open(token, visitor);
      if (!(await store.invites.reject(invite.tokenHash))) throw endedInvite();
      log.info({ inviteId: invite.id }, 'An invitation was declined.');
    },
  };
};
