// Making a member without an invitation.
import { operation } from '../operation.ts';
import { addMemberInput, addMemberOutput } from './schemas/team.ts';

export const addMember = operation({
  name: 'team.addMember',
  summary: 'Add a member',
  description:
    'Makes a member without an invitation, and shows a personal key for the sign-in only this once. Only a key of the organisation with the rights of an owner may do it, or the machine itself: it tells a server who its first owner is, and lets an owner who lost every key back in. Members invite instead.',
  rest: { method: 'POST', path: '/v3/auth/team/members', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  audits: 'member.join',
  input: addMemberInput,
  output: addMemberOutput,
  role: 'owner',
  errors: [409],
  examples: [{ summary: 'The first owner', input: { email: 'ada@example.org', role: 'owner' } }],
  run: (service, input, caller) => service.team.members.add(input, caller),
});
