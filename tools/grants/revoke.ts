// Taking back what a program was granted.
import { operation } from '../contract.ts';
import { grantReference, revokeGrantOutput } from '../shared/grants.ts';

export const revokeGrant = operation({
  name: 'grants.revoke',
  summary: 'Revoke a grant',
  description:
    'The access tokens of the program get 401 from then on, and its refresh tokens are worth nothing.',
  rest: { method: 'DELETE', path: '/v3/oauth/grants/{id}', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  input: grantReference,
  output: revokeGrantOutput,
  errors: [404],
  run: (service, input) => service.access.grants.revoke(input.id),
});
