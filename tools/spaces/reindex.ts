// Changing the embedder in place: the old vectors serve until the new ones are complete.
import { z } from 'zod';
import { operation } from '../contract.ts';
import { spacesOutput } from '../shared/spaces.ts';

export const reindexSpaces = operation({
  name: 'spaces.reindex',
  summary: 'Reindex with the configured embedder',
  description:
    'Starts embedding everything that is stored with the embedder that the settings ask for, and answers at once. ' +
    'Searches go on with the old vectors and change over when the new ones are complete. Follow it with GET /v3/spaces.',
  rest: { method: 'POST', path: '/v3/spaces/reindex', status: 202 },
  permission: 'write',
  reaches: 'organisation',
  input: z.object({}),
  output: spacesOutput,
  run: (service) => service.spaces.reindex(),
});
