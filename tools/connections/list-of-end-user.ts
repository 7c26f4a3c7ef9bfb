// List connections of an end user.
import { operation } from '../operation.ts';
import { connectionsOutput, listOfEndUserInput } from './schemas/connections.ts';

export const listConnectionsOfEndUser = operation({
  name: 'connections.listOfEndUser',
  summary: 'List connections of an end user',
  description: 'The former way to list connections, by the endUserId of their metadata.',
  rest: { method: 'GET', path: '/v3/connections', status: 200 },
  permission: 'read',
  reaches: 'organisation',

  input: listOfEndUserInput,
  output: connectionsOutput,
  errors: [],
  run: (service, { endUserId }, caller) => service.connections.listOf(caller, endUserId),
});
