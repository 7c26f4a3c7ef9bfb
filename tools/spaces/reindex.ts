// Reindexing with another embedder: searches use the old vectors until the new ones are complete.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { spacesOutput } from './schemas/spaces.ts';

export const reindexSpaces = operation({
  name: 'spaces.reindex',
  summary: 'Reindex with the configured embedder',
  description:
    'Starts to embed all stored content with the configured embedder, and returns at once. ' +
    'Searches use the old vectors until the new ones are complete. See the progress with GET /v3/spaces.',
  rest: { method: 'POST', path: '/v3/spaces/reindex', status: 202 },
  permission: 'write',
  reaches: 'organisation',
  audits: 'space.reindex',
  input: z.object({}),
  output: spacesOutput,
  run: (service, _input, caller) => service.audit.after(caller, {}, () => service.spaces.reindex()),
});
