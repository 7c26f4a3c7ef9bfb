// Read a connection.
import { operation } from '../operation.ts';
import { connectionOutput, connectionReference } from './schemas/connections.ts';

export const getConnection = operation({
  name: 'connections.getByID',
  summary: 'Read a connection',
  description: 'Not implemented yet: returns 501.',
  rest: { method: 'GET', path: '/v3/connections/{connection}', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: connectionReference,
  output: connectionOutput,
  errors: [404, 501],
  run: (service) => service.connections.refuse(),
});
