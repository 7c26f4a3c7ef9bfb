// Members and invitations, for owners and admins.
import type { z } from 'zod';
import type { listInvites } from '../../../tools/team/invitations.ts';
import type { inviteMember } from '../../../tools/team/invite.ts';
import type { listMembers } from '../../../tools/team/members.ts';
import { type Html, html } from '../../lib/text/html.ts';
import { page } from '../pages/html.ts';
import { actionButton } from './account-page.ts';
import { NOTHING, problemLine } from './entry-pages.ts';

type Member = z.output<typeof listMembers.output>['members'][number];
type Invite = z.output<typeof listInvites.output>['invitations'][number];
type Invited = z.output<typeof inviteMember.output>;

interface RefusedInvite {
  email: string;
  /** The reason. */
  refused: string;
}

export interface TeamView {
  members: readonly Member[];
  invitations: readonly Invite[];
  /** Invitations that were made just now, with their links where no mail carries them, and addresses that were refused. */
  invited: readonly (Invited | RefusedInvite)[];
  ticket: string;
}

const grantedTags = (tags: Member['containerTags']): string =>
  tags?.map(({ containerTag, permission }) => `${containerTag}:${permission}`).join(', ') ?? '';

const roleOptions = (present: string): Html[] =>
  ['owner', 'admin', 'member'].map((role) =>
    role === present
      ? html`<option value="${role}" selected>${role}</option>`
      : html`<option value="${role}">${role}</option>`,
  );

const accessForm = (
  { id, email, containerTags }: Member,
  ticket: string,
): Html => html`<form method="post" action="members"><input type="hidden" name="ticket" value="${ticket}">
<input type="hidden" name="id" value="${id}">
<label>Container tags of ${email}, as in office:read, notes:write; empty: all
<input type="text" name="tags" value="${grantedTags(containerTags)}" autocomplete="off"></label>
<button name="do" value="access">Limit ${email}</button></form>`;

const memberRow = (member: Member, ticket: string): Html => {
  const { id, name, email, role, emailVerified, containerTags, lastSeenAt } = member;
  return html`<li><strong>${name}</strong>, ${email}${emailVerified ? '' : ' (not verified)'}; ${role}; ${
    containerTags === null ? 'everything' : grantedTags(containerTags)
  }; last seen ${lastSeenAt?.slice(0, 10) ?? 'never'}
<details><summary>Change ${email}</summary>
<form method="post" action="members"><input type="hidden" name="ticket" value="${ticket}">
<input type="hidden" name="id" value="${id}"><label>Role of ${email} <select name="role">${roleOptions(role)}</select></label>
<button name="do" value="role">Change the role of ${email}</button></form>
${role === 'member' ? accessForm(member, ticket) : NOTHING}
<p>Removing ends the sessions, personal keys and programs of ${email}. Keys of the organisation and documents stay.</p>
${actionButton('members', { do: 'remove', id, ticket }, `Remove ${email}`)}</details></li>`;
};

const inviteItem = ({ id, email, role, status, expiresAt, invitedBy }: Invite, ticket: string): Html =>
  html`<li>${email}, ${role}; ${status}; invited by ${invitedBy}${status === 'pending' ? `, until ${expiresAt.slice(0, 10)}` : ''}
${
  status === 'pending' || status === 'expired'
    ? [
        actionButton('members', { do: 'resend', id, ticket }, `Send ${email} a new link`),
        actionButton('members', { do: 'link', id, ticket }, `Show a new link for ${email}`),
        actionButton('members', { do: 'cancel', id, ticket }, `Cancel ${email}`),
      ]
    : NOTHING
}</li>`;

const invitedRow = (invite: TeamView['invited'][number]): Html => {
  if ('refused' in invite) return html`<li>${invite.email} was not invited: ${invite.refused}</li>`;
  const { email, link, expiresAt } = invite;
  return link === undefined
    ? html`<li>${email}: Mail on its way.</li>`
    : html`<li><label>${email}: No mail carries this link, so hand it over yourself; it is good until ${expiresAt.slice(0, 10)}.
<input type="text" readonly value="${link}" autocomplete="off"></label></li>`;
};

const inviteForm = (
  ticket: string,
): Html => html`<form method="post" action="members"><fieldset><legend>Invite</legend>
<input type="hidden" name="ticket" value="${ticket}">
<label>Addresses, separated by commas, at most 20 <input type="text" inputmode="email" name="emails" autocomplete="off" required></label>
<label>Role <select name="role"><option value="member" selected>member</option><option value="admin">admin</option></select></label>
<label>Container tags of a member, as in office:read, notes:write; empty: all <input type="text" name="tags" autocomplete="off"></label>
<p><button name="do" value="invite">Invite</button></p></fieldset></form>`;

export const membersPage = ({ members, invitations, invited, ticket }: TeamView, problem: string | null) =>
  page(
    'Members and invitations',
    html`${problemLine(problem)}${invited.length === 0 ? NOTHING : html`<ul role="status">${invited.map(invitedRow)}</ul>`}
<p><a href="account">My account</a></p>
<h2>Members</h2>${
      members.length === 0
        ? html`<p>This server has no members yet. On its machine, "memoir members add you@example.org --role owner" makes the first owner.</p>`
        : html`<ul>${members.map((member) => memberRow(member, ticket))}</ul>`
    }
${inviteForm(ticket)}
<h2>Invitations</h2>${
      invitations.length === 0
        ? html`<p>Nobody was invited yet.</p>`
        : html`<ul>${invitations.map((invite) => inviteItem(invite, ticket))}</ul>`
    }`,
  );
