// Removing a model from the machine of the server.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { modelName, modelsOutput } from './schemas/models.ts';

export const removeModel = operation({
  name: 'models.remove',
  summary: 'Remove a model',
  description:
    'Erases the files of a model, or ends its installation. A model that searches use is not removed: 409.',
  rest: { method: 'DELETE', path: '/v3/models/{name}', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  audits: 'model.remove',
  input: z.object({ name: modelName }),
  output: modelsOutput,
  errors: [404, 409],
  run: (service, { name }, caller) =>
    service.audit.after(caller, { target: { kind: 'model', id: name } }, async () => ({
      models: await service.models.remove(name),
    })),
});
