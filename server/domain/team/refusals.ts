// Refusals about members and invitations: each says what to do instead.

import { conflict, forbidden, MemoirError, notFound } from '../../core/errors.ts';
import type { MemberRecord, Principal, TeamRole } from '../../core/principal.ts';

export const noSuchMember = () =>
  notFound('There is no member with this id. List the members to see which there are.');

export const noSuchInvite = () =>
  notFound('There is no invitation with this id. List the invitations to see which there are.');

export const notPending = () =>
  conflict('This invitation was accepted, declined or canceled already. Invite the address again.');

export const lastOwner = () =>
  conflict(
    'This is the last owner, and somebody has to own the organisation. Make another member an owner first.',
  );

export const isMember = (email: string) =>
  conflict(`${email} is a member already. Change the role or the container tags of the member instead.`);

export const limitedManager = (role: TeamRole) =>
  conflict(`The role ${role} reaches every container tag. Leave the tags out, or choose the role member.`);

/** Owners are above admins; everything else is for both. */
export const checkMayChange = (caller: Principal, member: Pick<MemberRecord, 'role'>): void => {
  if (member.role === 'owner' && caller.role !== 'owner')
    throw forbidden('An admin may not change or remove an owner. Ask an owner.');
};

export const checkMayGive = (caller: Principal, role: TeamRole): void => {
  if (role === 'owner' && caller.role !== 'owner')
    throw forbidden('Only an owner makes other members owners. Ask an owner.');
};

export const addsByHand = () =>
  forbidden(
    'A member adds nobody by hand, because the key of the new member would be shown to the wrong person. Invite the address instead.',
  );

// --- links -----------------------------------------------------------------------------------------

export const unknownInvite = () =>
  notFound('This invitation is not known here. Check that the whole link was copied, or ask for a new one.');

export const endedInvite = () =>
  new MemoirError(410, 'This invitation was used, declined, canceled or replaced. Ask for a new one.');

export const expiredInvite = () =>
  new MemoirError(410, 'This invitation has expired: it was valid for seven days. Ask for a new one.');

export const endedSignInLink = () =>
  new MemoirError(
    410,
    'This link was used, or is older than 15 minutes. Ask for another one on the sign-in page.',
  );
