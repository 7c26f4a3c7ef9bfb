// Remove a connection.
import { operation } from '../contract.ts';
import { connectionDeleted, deleteConnectionInput } from '../shared/connections.ts';

export const deleteConnection = operation({
  name: 'connections.delete',
  summary: 'Remove a connection',
  description:
    'By its id, or by its provider and container tags. What it brought goes with it unless deleteDocuments is false. Not built yet: answers 501.',
  rest: { method: 'DELETE', path: '/v3/connections/{connection}', status: 200, fields: 'body' },
  permission: 'write',
  reaches: 'organisation',
  input: deleteConnectionInput,
  output: connectionDeleted,
  errors: [404, 501],
  run: (service) => service.connections.refuse(),
});
