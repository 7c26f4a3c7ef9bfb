// Find a connection by its container tags.
import { operation } from '../operation.ts';
import { connectionOutput, providerAtTags } from './schemas/connections.ts';

export const getConnectionByTag = operation({
  name: 'connections.getByTag',
  summary: 'Find a connection by its container tags',
  description: 'Not implemented yet: returns 501.',
  rest: { method: 'POST', path: '/v3/connections/{provider}/connection', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: providerAtTags,
  output: connectionOutput,
  errors: [404, 501],
  run: (service) => service.connections.refuse(),
});
