// List the resources of a source.
import { operation } from '../operation.ts';
import { resourcesInput, resourcesOutput } from './schemas/connections.ts';

export const connectionResources = operation({
  name: 'connections.resources',
  summary: 'List the resources of a source',
  description: 'Not implemented yet: returns 501.',
  rest: { method: 'GET', path: '/v3/connections/{connectionId}/resources', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: resourcesInput,
  output: resourcesOutput,
  errors: [404, 501],
  run: (service) => service.connections.refuse(),
});
