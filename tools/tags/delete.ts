// Deleting a container tag with everything that has only it.
import { operation } from '../contract.ts';
import { tagDeleted, tagReference } from '../shared/tags-records.ts';

export const deleteTag = operation({
  name: 'containerTags.delete',
  summary: 'Delete a container tag',
  description:
    'Permanent. Documents that have only this tag are deleted with the memories that only they support; from the others the tag is taken off. Needs a key with full access.',
  rest: { method: 'DELETE', path: '/v3/container-tags/{containerTag}', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  input: tagReference,
  output: tagDeleted,
  errors: [404, 409],
  run: (service, input, caller) => service.tags.remove(caller, input.containerTag),
});
