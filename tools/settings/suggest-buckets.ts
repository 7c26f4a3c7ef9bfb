// Suggesting profile buckets from the filter prompt.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { suggestedBuckets } from './schemas/settings.ts';

export const suggestProfileBuckets = operation({
  name: 'settings.suggestBuckets',
  summary: 'Suggest profile buckets',
  description:
    'Suggests one bucket for each kind of information that the stored filterPrompt asks to keep. Nothing is saved.',
  rest: { method: 'POST', path: '/v3/settings/suggest-buckets', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: z.object({}),
  output: suggestedBuckets,
  run: (service) => service.settings.suggestBuckets(),
});
