// Which embedding space serves, and whether a reindex runs or is needed.
import { z } from 'zod';
import { operation } from '../contract.ts';
import { spacesOutput } from '../shared/spaces.ts';

export const spacesStatus = operation({
  name: 'spaces.status',
  summary: 'Embedding spaces',
  description:
    'Tells which embedder the stored vectors come from, which one the settings ask for, and how far a reindex is.',
  rest: { method: 'GET', path: '/v3/spaces', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: z.object({}),
  output: spacesOutput,
  run: (service) => service.spaces.status(),
});
