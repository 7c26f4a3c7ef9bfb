// Inviting somebody to join the organisation.
import { operation } from '../operation.ts';
import { inviteInput, inviteOutput } from './schemas/team.ts';

export const inviteMember = operation({
  name: 'team.invite',
  summary: 'Invite a member',
  description:
    'The link is sent by mail where mail is set up, and is in the answer otherwise. It is valid for seven days, once, for this address and role. A second invitation of an address that has not answered yet replaces the first.',
  rest: { method: 'POST', path: '/v3/auth/team/invite', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  audits: 'member.invite',
  input: inviteInput,
  output: inviteOutput,
  errors: [409],
  examples: [
    {
      summary: 'A member who may read one container tag',
      input: { email: 'grace@example.org', containerTags: [{ containerTag: 'office', permission: 'read' }] },
    },
  ],
  run: (service, input, caller) => service.team.invitations.invite(input, caller),
});
