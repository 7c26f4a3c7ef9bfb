// Deleting a container tag with the documents that have only this tag.
import { operation } from '../operation.ts';
import { tagDeleted, tagReference } from './schemas/tags.ts';

export const deleteTag = operation({
  name: 'containerTags.delete',
  summary: 'Delete a container tag',
  description:
    'Permanent. Documents that have only this tag are deleted, with the memories that only they support. Other documents lose the tag. Needs a key with full access.',
  rest: { method: 'DELETE', path: '/v3/container-tags/{containerTag}', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  audits: 'tag.delete',
  input: tagReference,
  output: tagDeleted,
  errors: [404, 409],
  run: (service, input, caller) => service.tags.remove(caller, input.containerTag),
});
