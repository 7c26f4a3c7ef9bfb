// Read a connection.
import { operation } from '../contract.ts';
import { connectionOutput, connectionReference } from '../shared/connections.ts';

export const getConnection = operation({
  name: 'connections.getByID',
  summary: 'Read a connection',
  description: 'Not built yet: answers 501.',
  rest: { method: 'GET', path: '/v3/connections/{connection}', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: connectionReference,
  output: connectionOutput,
  errors: [404, 501],
  run: (service) => service.connections.refuse(),
});
