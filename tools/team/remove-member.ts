// Removing a member, with all that ends with the member.
import { operation } from '../operation.ts';
import { memberReference, removeMemberOutput } from './schemas/team.ts';

export const removeMember = operation({
  name: 'team.removeMember',
  summary: 'Remove a member',
  description:
    'Ends the sessions, personal keys and grants of the member at once. Keys of the organisation and all documents stay. A member may remove themselves; an admin cannot remove an owner, and the last owner cannot go.',
  rest: { method: 'DELETE', path: '/v3/auth/team/members/{id}', status: 200 },
  permission: 'write',
  reaches: 'account',
  audits: 'member.remove',
  input: memberReference,
  output: removeMemberOutput,
  errors: [404, 409],
  run: (service, { id }, caller) => service.team.members.remove(id, caller),
});
