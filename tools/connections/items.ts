// List items of a connection.
import { operation } from '../operation.ts';
import { connectionItemsOutput, itemsInput } from './schemas/connections.ts';

export const connectionItems = operation({
  name: 'connections.items',
  summary: 'List items of a connection',
  description: 'By default those that could not be read, each with a sentence that names it.',
  rest: { method: 'GET', path: '/v3/connections/{connectionId}/items', status: 200 },
  permission: 'read',
  reaches: 'organisation',

  input: itemsInput,
  output: connectionItemsOutput,
  errors: [404],
  run: (service, input, caller) => service.connections.items(caller, input),
});
