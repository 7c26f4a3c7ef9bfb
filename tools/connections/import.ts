// Sync a source now.
import { operation } from '../operation.ts';
import { importStarted, providerWithTags } from './schemas/connections.ts';

export const importConnections = operation({
  name: 'connections.import',
  summary: 'Sync a source now',
  description:
    'Every fitting connection looks at once. A connection without a finished selection, or that is paused, is left alone.',
  rest: { method: 'POST', path: '/v3/connections/{provider}/import', status: 202, text: true },
  permission: 'write',
  reaches: 'organisation',
  audits: 'connection.change',
  input: providerWithTags,
  output: importStarted,
  errors: [404],
  run: (service, input, caller) => service.connections.import(caller, input),
});
