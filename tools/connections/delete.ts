// Remove a connection.
import { operation } from '../operation.ts';
import { connectionDeleted, deleteConnectionInput } from './schemas/connections.ts';

export const deleteConnection = operation({
  name: 'connections.delete',
  summary: 'Remove a connection',
  description:
    'Takes the id of the connection, or its provider and container tags. The documents that it brought are deleted too, unless deleteDocuments is false.',
  rest: { method: 'DELETE', path: '/v3/connections/{connection}', status: 200, fields: 'both' },
  permission: 'write',
  reaches: 'organisation',
  audits: 'connection.remove',
  input: deleteConnectionInput,
  output: connectionDeleted,
  errors: [400, 404],
  run: (service, input, caller) => service.connections.remove(caller, input),
});
