// Choosing the embedding model.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { spacesOutput } from '../spaces/schemas/spaces.ts';
import { modelName } from './schemas/models.ts';

export const useModel = operation({
  name: 'models.use',
  summary: 'Choose the embedding model',
  description:
    'Chooses an installed model, or `builtin`, and starts to embed all stored content with it; returns at once. ' +
    'Searches use the former vectors until the new ones are complete. See the progress with GET /v3/spaces. ' +
    '409 if the settings of the server name an embedding model, or if the model is not installed.',
  rest: { method: 'POST', path: '/v3/models/{name}/use', status: 202 },
  permission: 'write',
  reaches: 'organisation',
  input: z.object({ name: modelName }),
  output: spacesOutput,
  errors: [404, 409],
  run: (service, { name }) => service.models.use(name),
});
