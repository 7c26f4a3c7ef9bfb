// The team: members, invitations and the ways to sign in.
import type { TeamContext } from './context.ts';
import { createInvitations, type Invitations } from './invitations.ts';
import { createJoining, type Joining } from './joining.ts';
import { createMembers, type Members } from './members.ts';

export interface Team {
  readonly members: Members;
  readonly invitations: Invitations;
  readonly joining: Joining;
}

export const createTeam = (context: TeamContext): Team => ({
  members: createMembers(context),
  invitations: createInvitations(context),
  joining: createJoining(context),
});
