// Reading the record of one container tag.
import { operation } from '../operation.ts';
import { tagOutput, tagReference } from './schemas/tags.ts';

export const getTag = operation({
  name: 'containerTags.get',
  summary: 'Read a container tag',
  rest: { method: 'GET', path: '/v3/container-tags/{containerTag}', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: tagReference,
  output: tagOutput,
  tags: (input) => [input.containerTag],
  errors: [404],
  run: (service, input, caller) => service.tags.get(caller, input.containerTag),
});
