// Inputs and outputs of the operations on members and invitations.
import { z } from 'zod';
import { singleLine, time } from '../../shared/primitives.ts';
import { containerTag, maxTags } from '../../shared/tags.ts';

const ADDRESS = z.email({ error: 'must be an email address, as in ada@example.org' }).max(254);

/** Folded, because nobody has two addresses that differ in case alone. */
export const email = z
  .string()
  .transform((text) => text.trim().toLowerCase())
  .pipe(ADDRESS)
  .describe('The email address.');

const role = z.enum(['owner', 'admin', 'member']).describe('owner, admin or member.');
const givenRole = z
  .enum(['admin', 'member'])
  .prefault('member')
  .describe('admin: manages the organisation; member: uses it. Owners are made by a change of the role.');

const tagAccess = z.object({
  containerTag,
  permission: z
    .enum(['read', 'write'])
    .prefault('write')
    .describe('read: may read and search; write: may also change.'),
});

const givenTags = z
  .array(tagAccess)
  .min(1, { error: 'name at least one container tag, or null for all of them' })
  .max(maxTags)
  .refine((tags) => new Set(tags.map((each) => each.containerTag)).size === tags.length, {
    error: 'names a container tag twice',
  })
  .nullable();

const shownTags = z
  .array(
    z.object({
      containerTag: z.string().describe('The container tag.'),
      permission: z.enum(['read', 'write']).describe('read: may read and search; write: may also change.'),
    }),
  )
  .nullable()
  .describe('The container tags that the member may use, each with a permission; null: all.');

const memberId = z.string().describe('The id of the member.');
const inviteId = z.string().describe('The id of the invitation.');
const success = z.boolean().describe('True: it is done.');
const address = z.string().describe('The email address.');

export const memberReference = z.object({ id: z.string().min(1).max(255).describe('The id of the member.') });
export const inviteReference = z.object({
  id: z.string().min(1).max(255).describe('The id of the invitation.'),
});

const memberItem = z
  .object({
    id: memberId,
    name: z.string().describe('The name.'),
    email: address,
    role,
    joinedAt: time.describe('The time at which the member joined.'),
    containerTags: shownTags,
    lastSeenAt: time.nullable().describe('The time of the last request; null: there was none.'),
    emailVerified: z.boolean().describe('True: the member has opened a link that was sent to the address.'),
  })
  .meta({ id: 'Member', description: 'A member of the organisation.' });
export type MemberItem = z.input<typeof memberItem>;

export const listMembersOutput = z.object({
  members: z.array(memberItem).describe('All members, the oldest first.'),
});
export type ListMembersOutput = z.input<typeof listMembersOutput>;

export const addMemberInput = z.object({
  email,
  name: singleLine(1, 120).optional().describe('The name. Default: what stands before the @ of the address.'),
  role: role.prefault('member'),
  containerTags: givenTags
    .optional()
    .describe('The container tags that a member may use; null or absent: all.'),
});
export type AddMemberInput = z.output<typeof addMemberInput>;

export const addMemberOutput = z.object({
  id: memberId,
  email: address,
  name: z.string().describe('The name.'),
  role,
  containerTags: shownTags,
  key: z
    .string()
    .describe('A personal key of the member, to sign in at /console/. It is shown only this once.'),
  existed: z
    .boolean()
    .describe('True: the address was a member already, and got this role and a further key.'),
});
export type AddMemberOutput = z.input<typeof addMemberOutput>;

export const removeMemberOutput = z.object({
  success,
  id: memberId,
  ended: z
    .object({
      sessions: z.int().describe('Sessions in browsers.'),
      keys: z.int().describe('Personal keys.'),
      grants: z.int().describe('Grants of programs.'),
    })
    .describe('The sessions, personal keys and grants that ended with the member.'),
});
export type RemoveMemberOutput = z.input<typeof removeMemberOutput>;

export const setRoleInput = memberReference.extend({ role });
export const setRoleOutput = z.object({ success, id: memberId, role });
export type SetRoleOutput = z.input<typeof setRoleOutput>;

export const setAccessInput = memberReference.extend({
  containerTags: givenTags.describe('The container tags that the member may use from now on; null: all.'),
});
export const setAccessOutput = z.object({ success, id: memberId, containerTags: shownTags });
export type SetAccessOutput = z.input<typeof setAccessOutput>;

// --- invitations -----------------------------------------------------------------------------------

export const inviteInput = z.object({
  email,
  role: givenRole,
  containerTags: givenTags
    .optional()
    .describe('The container tags that the member may use; null or absent: all.'),
});
export type InviteInput = z.output<typeof inviteInput>;

const delivery = z
  .enum(['queued', 'none'])
  .describe('queued: the link is on its way by mail; none: hand the link over yourself.');
const link = z
  .string()
  .optional()
  .describe(
    'The link that accepts the invitation. It is shown only this once, and only where no mail carries it.',
  );
const inviteEnd = time.describe('The time at which the link ends.');

export const inviteOutput = z.object({
  success,
  email: address,
  role,
  id: inviteId,
  expiresAt: inviteEnd,
  delivery,
  link,
});
export type InviteOutput = z.input<typeof inviteOutput>;

export const resendInput = inviteReference.extend({
  showLink: z
    .boolean()
    .prefault(false)
    .describe('True: no mail is sent, and the answer has the new link to hand over.'),
});
export type ResendInput = z.output<typeof resendInput>;

const inviteItem = z
  .object({
    email: address,
    role,
    invitedAt: time.describe('The time of the invitation.'),
    status: z.enum(['pending', 'accepted', 'rejected', 'canceled', 'expired']).describe('Its present state.'),
    id: inviteId,
    expiresAt: inviteEnd,
    invitedBy: z.string().describe('The name of the member or of the key that invited.'),
    containerTags: shownTags,
  })
  .meta({ id: 'Invitation', description: 'An invitation to join the organisation.' });
export type InviteItem = z.input<typeof inviteItem>;

export const listInvitesOutput = z.object({
  invitations: z.array(inviteItem).describe('The last 500 invitations, the newest first.'),
});
export type ListInvitesOutput = z.input<typeof listInvitesOutput>;

export const cancelInviteOutput = z.object({ success, id: inviteId });
