// Describing a container tag, and making it where there is none.
import { operation } from '../contract.ts';
import { tagUpdated, updateTagInput } from '../shared/tags-records.ts';

export const updateTag = operation({
  name: 'containerTags.update',
  summary: 'Create or describe a container tag',
  description:
    'What is left out stays; null takes it away. The tag is made where there is none. Only a key with full access may set profile buckets.',
  rest: { method: 'PATCH', path: '/v3/container-tags/{containerTag}', status: 200 },
  permission: 'write',
  reaches: 'tags',
  input: updateTagInput,
  output: tagUpdated,
  tags: (input) => [input.containerTag],
  examples: [
    {
      summary: 'Tell whom a tag is about',
      input: { containerTag: 'user_ada', name: 'Ada', entityContext: 'Ada, a cellist in Porto.' },
    },
  ],
  run: (service, input, caller) => service.tags.update(caller, input),
});
