// List what a source could sync.
import { operation } from '../contract.ts';
import { resourcesInput, resourcesOutput } from '../shared/connections.ts';

export const connectionResources = operation({
  name: 'connections.resources',
  summary: 'List what a source could sync',
  description: 'Not built yet: answers 501.',
  rest: { method: 'GET', path: '/v3/connections/{connectionId}/resources', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: resourcesInput,
  output: resourcesOutput,
  errors: [404, 501],
  run: (service) => service.connections.refuse(),
});
