// Merging container tags into one.
import { operation } from '../operation.ts';
import { mergeAccepted, mergeTagsInput } from './schemas/tags.ts';

export const mergeTags = operation({
  name: 'containerTags.merge',
  summary: 'Merge container tags',
  description:
    'Moves the documents and memories of the other tags to the target in the background, then removes the other tags. The target keeps its own name and description. If a document of the target has the same customId, the moved document loses its customId. Needs a key with full access.',
  rest: { method: 'POST', path: '/v3/container-tags/merge', status: 202 },
  permission: 'write',
  reaches: 'organisation',
  audits: 'tag.merge',
  input: mergeTagsInput,
  output: mergeAccepted,
  errors: [404, 409],
  examples: [
    {
      summary: 'Merge one tag into another',
      input: { containerTags: ['ada_old', 'user_ada'], targetContainerTag: 'user_ada' },
    },
  ],
  run: (service, input, caller) => service.tags.merge(caller, input),
});
