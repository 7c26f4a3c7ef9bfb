// Merging container tags into one.
import { operation } from '../contract.ts';
import { mergeAccepted, mergeTagsInput } from '../shared/tags-records.ts';

export const mergeTags = operation({
  name: 'containerTags.merge',
  summary: 'Merge container tags',
  description:
    'Documents and memories of the other tags move to the target in the background, and the other tags are gone afterwards. What the target says of itself stands. A document whose customId the target has already gives its own up. Needs a key with full access.',
  rest: { method: 'POST', path: '/v3/container-tags/merge', status: 202 },
  permission: 'write',
  reaches: 'organisation',
  input: mergeTagsInput,
  output: mergeAccepted,
  errors: [404, 409],
  examples: [
    {
      summary: 'One into another',
      input: { containerTags: ['ada_old', 'user_ada'], targetContainerTag: 'user_ada' },
    },
  ],
  run: (service, input, caller) => service.tags.merge(caller, input),
});
