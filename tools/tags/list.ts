// Listing the container tags that the key may use.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { tagListOutput } from './schemas/tags.ts';

export const listTags = operation({
  name: 'containerTags.list',
  summary: 'List container tags',
  description:
    'A key that is bound to container tags gets only those tags. A tag appears in the list after its first use.',
  rest: { method: 'GET', path: '/v3/container-tags/list', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: z.object({}),
  output: tagListOutput,
  tags: () => undefined,
  run: (service, _input, caller) => service.tags.list(caller),
});
