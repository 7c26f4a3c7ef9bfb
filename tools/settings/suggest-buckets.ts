// Profile buckets that the filter prompt suggests.
import { z } from 'zod';
import { operation } from '../contract.ts';
import { suggestedBuckets } from '../shared/settings.ts';

export const suggestProfileBuckets = operation({
  name: 'settings.suggestBuckets',
  summary: 'Suggest profile buckets',
  description:
    'Each thing that the stored filterPrompt names to keep becomes a suggestion; nothing is saved.',
  rest: { method: 'POST', path: '/v3/settings/suggest-buckets', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: z.object({}),
  output: suggestedBuckets,
  run: (service) => service.settings.suggestBuckets(),
});
