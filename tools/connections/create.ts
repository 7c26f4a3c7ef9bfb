// Connect a source.
import { operation } from '../operation.ts';
import { connectionCreated, createConnectionInput } from './schemas/connections.ts';

export const createConnection = operation({
  name: 'connections.create',
  summary: 'Connect a source',
  description:
    'For a source with a sign-in it returns a link: the owner of the source opens it and grants access. For others, the options are checked with the source before anything is stored. Secrets among the options are sealed and never answered. Metadata that is no option of the source is copied to every document; a name that is nearly that of an option is refused.',
  rest: { method: 'POST', path: '/v3/connections/{connection}', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  audits: 'connection.add',
  input: createConnectionInput,
  output: connectionCreated,
  errors: [400, 501],
  run: (service, input, caller, signal) => service.connections.create(caller, input, signal),
});
