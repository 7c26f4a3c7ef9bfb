// Listing the container tags as projects.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { projectsOutput } from './schemas/projects.ts';

export const listProjects = operation({
  name: 'projects.list',
  summary: 'List projects',
  description:
    'The container tags in the form that older programs read. A key that is bound to container tags gets only those.',
  rest: { method: 'GET', path: '/v3/projects', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: z.object({}),
  output: projectsOutput,
  tags: () => undefined,
  run: async (service, _input, caller) => ({ projects: await service.projects.list(caller) }),
});
