// Choose what a connection syncs.
import { operation } from '../operation.ts';
import { configured, configureInput } from './schemas/connections.ts';

export const configureConnection = operation({
  name: 'connections.configure',
  summary: 'Choose what a connection syncs',
  description:
    'Takes the whole selection, as objects that the list of resources answered. An empty list selects nothing. The sync starts at once.',
  rest: { method: 'POST', path: '/v3/connections/{connectionId}/configure', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  audits: 'connection.change',
  input: configureInput,
  output: configured,
  errors: [400, 404, 501],
  run: (service, input, caller) => service.connections.configure(caller, input),
});
