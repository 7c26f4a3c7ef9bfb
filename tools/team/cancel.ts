// Canceling an invitation.
import { operation } from '../operation.ts';
import { cancelInviteOutput, inviteReference } from './schemas/team.ts';

export const cancelInvite = operation({
  name: 'team.cancelInvite',
  summary: 'Cancel an invitation',
  description: 'From then on its link is void.',
  rest: { method: 'DELETE', path: '/v3/auth/team/invitations/{id}', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  audits: 'member.invite',
  input: inviteReference,
  output: cancelInviteOutput,
  errors: [404, 409],
  async run(service, { id }, caller) {
    await service.team.invitations.cancel(id, caller);
    return { success: true, id };
  },
});
