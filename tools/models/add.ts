// Installing a model on the machine of the server.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { modelName, modelsOutput } from './schemas/models.ts';

export const addModel = operation({
  name: 'models.add',
  summary: 'Install a model',
  description:
    'Starts to download a model to the machine of the server, with the packages that run it, and returns at once. ' +
    'An interrupted download goes on where it ended. See the progress with GET /v3/models.',
  rest: { method: 'POST', path: '/v3/models/{name}', status: 202 },
  permission: 'write',
  reaches: 'organisation',
  audits: 'model.add',
  input: z.object({
    name: modelName,
    from: z
      .string()
      .min(1)
      .max(4_096)
      .optional()
      .describe('A folder of the machine of the server that holds the files. For its owner alone.'),
  }),
  output: modelsOutput,
  errors: [404, 409],
  run: (service, { name, from }, caller) =>
    service.audit.after(caller, { target: { kind: 'model', id: name } }, async () => ({
      models: await service.models.add(name, from ?? null, caller),
    })),
});
