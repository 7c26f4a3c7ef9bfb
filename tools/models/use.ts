// Choosing the model of a purpose.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { spacesOutput } from '../spaces/schemas/spaces.ts';
import { modelName, modelPurpose } from './schemas/models.ts';

export const useModel = operation({
  name: 'models.use',
  summary: 'Choose a model',
  description:
    'Chooses an installed model, or the model of a server on the machine of Memoir, as in `ollama:nomic-embed-text`; `builtin` goes back. ' +
    'An embedding model starts to embed all stored content and returns at once: searches use the former vectors until the new ones are complete. See the progress with GET /v3/spaces. ' +
    'A chat model reads the content that comes from now on for memories, summarises profiles and rewords queries. ' +
    'A model for reranking serves from the next search with `rerank`, and needs no reindex. ' +
    '409 if the settings of the server name a model for the same purpose, or if the model is not installed; 503 if its server does not answer.',
  rest: { method: 'POST', path: '/v3/models/{name}/use', status: 202 },
  permission: 'write',
  reaches: 'organisation',
  audits: 'model.use',
  input: z.object({
    name: modelName,
    for: modelPurpose
      .optional()
      .describe(
        'The purpose of the model. Default: the one of an installed model, or the one that its server names; for `builtin`, `embedding`. `builtin` for `reranking` means no reranker.',
      ),
  }),
  output: spacesOutput.extend({
    chosen: z
      .object({
        name: modelName,
        for: modelPurpose.describe('The purpose for which the model was chosen.'),
      })
      .describe('The chosen model.'),
  }),
  errors: [404, 409],
  run: (service, { name, for: purpose }, caller) =>
    service.audit.after(caller, { target: { kind: 'model', id: name } }, () =>
      service.models.use(name, purpose ?? null),
    ),
});
