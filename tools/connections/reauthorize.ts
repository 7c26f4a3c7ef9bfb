// Sign in again for a connection.
import { operation } from '../operation.ts';
import { connectionCreated, reauthorizeInput } from './schemas/connections.ts';

export const reauthorizeConnection = operation({
  name: 'connections.reauthorize',
  summary: 'Sign in again for a connection',
  description:
    'Returns a new link, or takes new keys for a source without a sign-in. The account must stay the same.',
  rest: { method: 'POST', path: '/v3/connections/{connectionId}/reauthorize', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  audits: 'connection.change',
  input: reauthorizeInput,
  output: connectionCreated,
  errors: [400, 404, 501],
  run: (service, input, caller, signal) => service.connections.reauthorize(caller, input, signal),
});
