// Listing the grants of programs.
import { operation } from '../operation.ts';
import { listGrantsInput, listGrantsOutput } from './schemas/grants.ts';

export const listGrants = operation({
  name: 'grants.list',
  summary: 'List grants',
  description:
    'Returns the grants that people gave to programs on the connect page and that have not expired.',
  rest: { method: 'GET', path: '/v3/oauth/grants', status: 200 },
  permission: 'read',
  reaches: 'account',
  input: listGrantsInput,
  output: listGrantsOutput,
  run: (service, _input, caller) => service.access.grants.list(caller),
});
