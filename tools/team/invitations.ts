// Listing invitations.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { listInvitesOutput } from './schemas/team.ts';

export const listInvites = operation({
  name: 'team.invitations',
  summary: 'List invitations',
  description: 'Returns the invitations with their states, without their links.',
  rest: { method: 'GET', path: '/v3/auth/team/invitations', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: z.object({}),
  output: listInvitesOutput,
  run: (service) => service.team.invitations.list(),
});
