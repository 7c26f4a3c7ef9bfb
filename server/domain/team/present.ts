// Members and invitations as callers see them.
import type { InviteItem, MemberItem } from '../../../tools/team/schemas/team.ts';
import type { InviteRecord } from '../../adapters/store/ports/team/team.ts';
import type { MemberRecord } from '../../core/principal.ts';
import { isoTime, isoTimeOrNull } from '../../lib/text/dates/format.ts';

export const presentMember = (member: MemberRecord): MemberItem => ({
  id: member.id,
  name: member.name,
  email: member.email,
  role: member.role,
  joinedAt: isoTime(member.createdAt),
  containerTags: member.tags,
  lastSeenAt: isoTimeOrNull(member.lastSeenAt),
  emailVerified: member.emailVerified,
});

export const presentInvite = (invite: InviteRecord, now: number): InviteItem => ({
  email: invite.email,
  role: invite.role,
  invitedAt: isoTime(invite.invitedAt),
  status: invite.status === 'pending' && invite.expiresAt <= now ? 'expired' : invite.status,
  id: invite.id,
  expiresAt: isoTime(invite.expiresAt),
  invitedBy: invite.inviterName,
  containerTags: invite.tags,
});

/** The name of a person until they choose another one. */
export const nameFromEmail = (email: string): string => email.split('@')[0] || email;
