// Find a connection by its container tags.
import { operation } from '../operation.ts';
import { connectionOutput, providerAtTags } from './schemas/connections.ts';

export const getConnectionByTag = operation({
  name: 'connections.getByTag',
  summary: 'Find a connection by its container tags',
  description: 'Of several, the newest.',
  rest: { method: 'POST', path: '/v3/connections/{provider}/connection', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: providerAtTags,
  output: connectionOutput,
  errors: [404],
  run: (service, input, caller) => service.connections.atTags(caller, input),
});
