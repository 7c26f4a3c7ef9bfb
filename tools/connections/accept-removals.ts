// Accept the removals that a connection holds.
import { operation } from '../operation.ts';
import { connectionById, connectionOutput } from './schemas/connections.ts';

export const acceptConnectionRemovals = operation({
  name: 'connections.acceptRemovals',
  summary: 'Accept the removals that a connection holds',
  description:
    'A listing without more than half of the documents removes nothing until a person agrees. After this, the next look removes what it does not show.',
  rest: { method: 'POST', path: '/v3/connections/{connectionId}/accept-removals', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  audits: 'connection.change',
  input: connectionById,
  output: connectionOutput,
  errors: [400, 404],
  run: (service, { connectionId }, caller) => service.connections.acceptRemovals(caller, connectionId),
});
