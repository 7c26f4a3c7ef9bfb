// Revoking the grant of a program.
import { operation } from '../operation.ts';
import { grantReference, revokeGrantOutput } from './schemas/grants.ts';

export const revokeGrant = operation({
  name: 'grants.revoke',
  summary: 'Revoke a grant',
  description:
    'From then on, requests with the access tokens of the program get 401, and its refresh tokens are invalid.',
  rest: { method: 'DELETE', path: '/v3/oauth/grants/{id}', status: 200 },
  permission: 'write',
  reaches: 'account',
  audits: 'grant.revoke',
  input: grantReference,
  output: revokeGrantOutput,
  errors: [404],
  run: (service, input, caller) => service.access.grants.revoke(input.id, caller),
});
