// Choose what a connection syncs.
import { operation } from '../contract.ts';
import { configured, configureInput } from '../shared/connections.ts';

export const configureConnection = operation({
  name: 'connections.configure',
  summary: 'Choose what a connection syncs',
  description: 'Not built yet: answers 501.',
  rest: { method: 'POST', path: '/v3/connections/{connectionId}/configure', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  input: configureInput,
  output: configured,
  errors: [404, 501],
  run: (service) => service.connections.refuse(),
});
