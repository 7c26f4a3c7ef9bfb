// List connections.
import { operation } from '../contract.ts';
import { connectionsOutput, listConnectionsInput } from '../shared/connections.ts';

export const listConnections = operation({
  name: 'connections.list',
  summary: 'List connections',
  description: 'Empty until a source is connected.',
  rest: { method: 'POST', path: '/v3/connections/list', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: listConnectionsInput,
  output: connectionsOutput,
  tags: (input) => input.containerTags,
  run: (service) => service.connections.list(),
});
