// Resume a connection.
import { operation } from '../operation.ts';
import { connectionById, connectionOutput } from './schemas/connections.ts';

export const resumeConnection = operation({
  name: 'connections.resume',
  summary: 'Resume a connection',
  description: 'It looks at once, and goes on where it stood.',
  rest: { method: 'POST', path: '/v3/connections/{connectionId}/resume', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  audits: 'connection.change',
  input: connectionById,
  output: connectionOutput,
  errors: [400, 404],
  run: (service, { connectionId }, caller) => service.connections.resume(caller, connectionId),
});
