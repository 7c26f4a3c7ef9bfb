// Describing a container tag; it is created if it does not exist.
import { operation } from '../operation.ts';
import { tagUpdated, updateTagInput } from './schemas/tags.ts';

export const updateTag = operation({
  name: 'containerTags.update',
  summary: 'Create or describe a container tag',
  description:
    'A field that is left out keeps its value; null removes it. The tag is created if it does not exist. Only a key with full access may set profile buckets and quotas.',
  rest: { method: 'PATCH', path: '/v3/container-tags/{containerTag}', status: 200 },
  permission: 'write',
  reaches: 'tags',
  audits: 'tag.change',
  input: updateTagInput,
  output: tagUpdated,
  tags: (input) => [input.containerTag],
  examples: [
    {
      summary: 'Describe the person that a tag stands for',
      input: { containerTag: 'user_ada', name: 'Ada', entityContext: 'Ada, a cellist in Porto.' },
    },
  ],
  run: (service, input, caller) => service.tags.update(caller, input),
});
