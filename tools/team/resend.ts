// Sending an invitation again, with a new link.
import { operation } from '../operation.ts';
import { inviteOutput, resendInput } from './schemas/team.ts';

export const resendInvite = operation({
  name: 'team.resendInvite',
  summary: 'Send an invitation again',
  description: 'Makes a new link for seven days; the former link is void.',
  rest: { method: 'POST', path: '/v3/auth/team/invitations/{id}/resend', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  audits: 'member.invite',
  input: resendInput,
  output: inviteOutput,
  errors: [404, 409],
  run: (service, input, caller) => service.team.invitations.resend(input, caller),
});
