// List the resources of a source.
import { operation } from '../operation.ts';
import { resourcesInput, resourcesOutput } from './schemas/connections.ts';

export const connectionResources = operation({
  name: 'connections.resources',
  summary: 'List the resources of a source',
  description:
    'What can be chosen: folders, files, repositories. Answers 501 for a source that has nothing to choose.',
  rest: { method: 'GET', path: '/v3/connections/{connectionId}/resources', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: resourcesInput,
  output: resourcesOutput,
  errors: [400, 404, 501],
  run: (service, input, caller, signal) => service.connections.resources(caller, input, signal),
});
