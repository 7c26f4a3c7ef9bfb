// Limiting a member to container tags.
import { operation } from '../operation.ts';
import { setAccessInput, setAccessOutput } from './schemas/team.ts';

export const setMemberAccess = operation({
  name: 'team.setAccess',
  summary: 'Limit a member to container tags',
  description:
    'From then on the member, and every key and program of the member, reaches these container tags alone, each with its permission; null lifts the limit. Owners and admins have no limit.',
  rest: { method: 'PUT', path: '/v3/auth/team/members/{id}/access', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  audits: 'member.access',
  input: setAccessInput,
  output: setAccessOutput,
  errors: [404, 409],
  run: (service, input, caller) => service.team.members.setAccess(input, caller),
});
