// Find a connection by its container tags.
import { operation } from '../contract.ts';
import { connectionOutput, providerAtTags } from '../shared/connections.ts';

export const getConnectionByTag = operation({
  name: 'connections.getByTag',
  summary: 'Find a connection by its container tags',
  description: 'Not built yet: answers 501.',
  rest: { method: 'POST', path: '/v3/connections/{provider}/connection', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: providerAtTags,
  output: connectionOutput,
  errors: [404, 501],
  run: (service) => service.connections.refuse(),
});
