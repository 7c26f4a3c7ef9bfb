// Pause a connection.
import { operation } from '../operation.ts';
import { connectionById, connectionOutput } from './schemas/connections.ts';

export const pauseConnection = operation({
  name: 'connections.pause',
  summary: 'Pause a connection',
  description: 'Nothing is asked of the source before it is resumed. Documents stay.',
  rest: { method: 'POST', path: '/v3/connections/{connectionId}/pause', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  audits: 'connection.change',
  input: connectionById,
  output: connectionOutput,
  errors: [400, 404],
  run: (service, { connectionId }, caller) => service.connections.pause(caller, connectionId),
});
