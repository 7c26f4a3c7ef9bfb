// Connect a source.
import { operation } from '../operation.ts';
import { connectionCreated, createConnectionInput } from './schemas/connections.ts';

export const createConnection = operation({
  name: 'connections.create',
  summary: 'Connect a source',
  description:
    'Returns a link. The owner of the source opens it and grants access. Not implemented yet: returns 501.',
  rest: { method: 'POST', path: '/v3/connections/{connection}', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  audits: 'connection.add',
  input: createConnectionInput,
  output: connectionCreated,
  errors: [404, 501],
  run: (service) => service.connections.refuse(),
});
