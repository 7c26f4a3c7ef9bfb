// The container tags that the key may use, with what lies under each.
import { z } from 'zod';
import { operation } from '../contract.ts';
import { tagListOutput } from '../shared/tags-records.ts';

export const listTags = operation({
  name: 'containerTags.list',
  summary: 'List container tags',
  description:
    'A key that is bound to container tags sees those alone. A tag that was never used is not there yet.',
  rest: { method: 'GET', path: '/v3/container-tags/list', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: z.object({}),
  output: tagListOutput,
  tags: () => undefined,
  run: (service, _input, caller) => service.tags.list(caller),
});
