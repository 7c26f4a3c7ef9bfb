// Sync a source now.
import { operation } from '../operation.ts';
import { importStarted, providerWithTags } from './schemas/connections.ts';

export const importConnections = operation({
  name: 'connections.import',
  summary: 'Sync a source now',
  description: 'Not implemented yet: returns 501.',
  rest: { method: 'POST', path: '/v3/connections/{provider}/import', status: 202, text: true },
  permission: 'write',
  reaches: 'organisation',
  audits: 'connection.change',
  input: providerWithTags,
  output: importStarted,
  errors: [404, 501],
  run: (service) => service.connections.refuse(),
});
