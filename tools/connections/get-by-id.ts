// Read a connection.
import { operation } from '../operation.ts';
import { connectionOutput, connectionReference } from './schemas/connections.ts';

export const getConnection = operation({
  name: 'connections.getByID',
  summary: 'Read a connection',
  description: 'Also says what it is doing now, what waits for a person, and when it looks next.',
  rest: { method: 'GET', path: '/v3/connections/{connection}', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: connectionReference,
  output: connectionOutput,
  errors: [404],
  run: (service, { connection }, caller) => service.connections.get(caller, connection),
});
