// The team: members, invitations and the ways to sign in.
import { createInvitations, type Invitations } from './invitations.ts';
import { createJoining, type Joining } from './joining.ts';
import type { MailOffice } from './mail/office.ts';
import { createMembers, type Members } from './members.ts';
import { createSignIn, type MemberSignIn, type SignInDeps } from './sign-in.ts';

export interface Team {
  readonly members: Members;
  readonly invitations: Invitations;
  readonly joining: Joining;
  readonly signIn: MemberSignIn;
  readonly mail: MailOffice;
}

export const createTeam = (context: SignInDeps & { outbox: MailOffice }): Team => ({
  members: createMembers(context),
  invitations: createInvitations(context),
  joining: createJoining(context),
  signIn: createSignIn(context),
  mail: context.outbox,
});
