// Reading the embedding space in use, and the state of a reindex.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { spacesOutput } from './schemas/spaces.ts';

export const spacesStatus = operation({
  name: 'spaces.status',
  summary: 'Read the embedding spaces',
  description:
    'Returns the embedder of the stored vectors, the configured embedder, and the progress of a reindex.',
  rest: { method: 'GET', path: '/v3/spaces', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: z.object({}),
  output: spacesOutput,
  run: (service) => service.spaces.status(),
});
