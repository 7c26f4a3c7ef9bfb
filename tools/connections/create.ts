// Connect a source.
import { operation } from '../contract.ts';
import { connectionCreated, createConnectionInput } from '../shared/connections.ts';

export const createConnection = operation({
  name: 'connections.create',
  summary: 'Connect a source',
  description: 'Answers with the link at which its owner grants access. Not built yet: answers 501.',
  rest: { method: 'POST', path: '/v3/connections/{connection}', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  input: createConnectionInput,
  output: connectionCreated,
  errors: [404, 501],
  run: (service) => service.connections.refuse(),
});
