// List connections.
import { operation } from '../operation.ts';
import { connectionsOutput, listConnectionsInput } from './schemas/connections.ts';

export const listConnections = operation({
  name: 'connections.list',
  summary: 'List connections',
  description: 'The list is empty until a source is connected.',
  rest: { method: 'POST', path: '/v3/connections/list', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: listConnectionsInput,
  output: connectionsOutput,
  tags: (input) => input.containerTags,
  run: (service) => service.connections.list(),
});
