// Listing the models for this machine.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { modelsOutput } from './schemas/models.ts';

export const listModels = operation({
  name: 'models.list',
  summary: 'List the models for this machine',
  description:
    'Returns the embedding models that can run on the machine of the server, and the state of each.',
  rest: { method: 'GET', path: '/v3/models', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: z.object({}),
  output: modelsOutput,
  run: async (service) => ({ models: await service.models.list() }),
});
