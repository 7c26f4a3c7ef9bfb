// Listing the members of the organisation.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { listMembersOutput } from './schemas/team.ts';

export const listMembers = operation({
  name: 'team.members',
  summary: 'List members',
  description:
    'Returns the members of the organisation with their roles and the container tags that they may use.',
  rest: { method: 'GET', path: '/v3/auth/team/members', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: z.object({}),
  output: listMembersOutput,
  run: (service) => service.team.members.list(),
});
