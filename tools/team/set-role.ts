// Changing the role of a member.
import { operation } from '../operation.ts';
import { setRoleInput, setRoleOutput } from './schemas/team.ts';

export const setMemberRole = operation({
  name: 'team.setRole',
  summary: 'Change the role of a member',
  description:
    'Only owners make and unmake owners. An owner and an admin may use every container tag, so a limit to tags ends with the change. The last owner keeps the role.',
  rest: { method: 'PUT', path: '/v3/auth/team/members/{id}/role', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  audits: 'member.role',
  input: setRoleInput,
  output: setRoleOutput,
  errors: [404, 409],
  run: (service, input, caller) => service.team.members.setRole(input, caller),
});
