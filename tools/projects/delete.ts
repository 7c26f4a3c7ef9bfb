// Deleting a project, with its documents or after they are moved.
import { operation } from '../operation.ts';
import { deleteProjectInput, projectDeleted } from './schemas/projects.ts';

export const deleteProject = operation({
  name: 'projects.delete',
  summary: 'Delete a project',
  description:
    'Permanent. With "move" the documents and memories are moved to the other project in the background. Needs a key with full access.',
  rest: { method: 'DELETE', path: '/v3/projects/{projectId}', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  audits: 'tag.delete',
  input: deleteProjectInput,
  output: projectDeleted,
  errors: [404, 409],
  run: (service, input, caller) => service.projects.remove(caller, input),
});
