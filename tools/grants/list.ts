// Listing what programs were granted.
import { operation } from '../contract.ts';
import { listGrantsInput, listGrantsOutput } from '../shared/grants.ts';

export const listGrants = operation({
  name: 'grants.list',
  summary: 'List grants',
  description: 'What programs were allowed on the connect page, as long as it lasts.',
  rest: { method: 'GET', path: '/v3/oauth/grants', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: listGrantsInput,
  output: listGrantsOutput,
  run: (service) => service.access.grants.list(),
});
