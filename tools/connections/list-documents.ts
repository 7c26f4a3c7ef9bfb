// List the documents of a source.
import { operation } from '../operation.ts';
import { connectionDocuments, providerWithTags } from './schemas/connections.ts';

export const listConnectionDocuments = operation({
  name: 'connections.listDocuments',
  summary: 'List the documents of a source',
  description: 'Documents that connections of this source brought, newest first.',
  rest: { method: 'POST', path: '/v3/connections/{provider}/documents', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: providerWithTags,
  output: connectionDocuments,
  errors: [],
  run: (service, input, caller) => service.connections.documents(caller, input),
});
