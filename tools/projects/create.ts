// Making a container tag from the name of a project.
import { operation } from '../operation.ts';
import { createProjectInput, project } from './schemas/projects.ts';

export const createProject = operation({
  name: 'projects.create',
  summary: 'Create a project',
  description:
    'Makes the container tag sm_project_ with the name in lower case, spaces as "_". A project that exists under this name is returned as it is. Needs write permission for the new tag.',
  rest: { method: 'POST', path: '/v3/projects', status: 200 },
  permission: 'write',
  reaches: 'tags',
  input: createProjectInput,
  output: project,
  tags: ({ containerTag }) => [containerTag],
  errors: [409],
  examples: [{ summary: 'A project for a journey', input: { name: 'Holiday plans' } }],
  run: (service, input, caller) => service.projects.create(caller, input),
});
