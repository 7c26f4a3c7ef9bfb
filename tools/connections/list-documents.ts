// List what a source brought.
import { operation } from '../contract.ts';
import { connectionDocuments, providerWithTags } from '../shared/connections.ts';

export const listConnectionDocuments = operation({
  name: 'connections.listDocuments',
  summary: 'List what a source brought',
  description: 'Not built yet: answers 501.',
  rest: { method: 'POST', path: '/v3/connections/{provider}/documents', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: providerWithTags,
  output: connectionDocuments,
  errors: [404, 501],
  run: (service) => service.connections.refuse(),
});
