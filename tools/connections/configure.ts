// Choose what a connection syncs.
import { operation } from '../operation.ts';
import { configured, configureInput } from './schemas/connections.ts';

export const configureConnection = operation({
  name: 'connections.configure',
  summary: 'Choose what a connection syncs',
  description: 'Not implemented yet: returns 501.',
  rest: { method: 'POST', path: '/v3/connections/{connectionId}/configure', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  audits: 'connection.change',
  input: configureInput,
  output: configured,
  errors: [404, 501],
  run: (service) => service.connections.refuse(),
});
