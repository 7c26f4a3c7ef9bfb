// Bring back items of a connection.
import { operation } from '../operation.ts';
import { included, includeItemsInput } from './schemas/connections.ts';

export const includeConnectionItems = operation({
  name: 'connections.include',
  summary: 'Bring back items of a connection',
  description:
    'A document that was deleted here does not come back with the next sync. This brings it back, and reads failed items again.',
  rest: { method: 'POST', path: '/v3/connections/{connectionId}/include', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  audits: 'connection.change',
  input: includeItemsInput,
  output: included,
  errors: [404],
  run: (service, { connectionId, items }, caller) => service.connections.include(caller, connectionId, items),
});
