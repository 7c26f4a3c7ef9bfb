// List connections.
import { operation } from '../operation.ts';
import { connectionsOutput, listConnectionsInput } from './schemas/connections.ts';

export const listConnections = operation({
  name: 'connections.list',
  summary: 'List connections',
  description: 'Each with what it is doing now and when it looks next.',
  rest: { method: 'POST', path: '/v3/connections/list', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: listConnectionsInput,
  output: connectionsOutput,
  tags: (input) => input.containerTags,
  run: (service, input, caller) => service.connections.list(caller, input),
});
