// Reading the space that the database takes, and the progress of compacting.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { storageOutput } from './schemas/storage.ts';

export const storageStatus = operation({
  name: 'storage.status',
  summary: 'Read the size of the database',
  description:
    'Returns the size of the database, the part of it that is free, and the progress of compacting.',
  rest: { method: 'GET', path: '/v3/storage', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: z.object({}),
  output: storageOutput,
  run: (service) => service.storage.status(),
});
