// Adding several documents in one request.
import { operation } from '../operation.ts';
import { addedText, addedTogether } from '../shared/added.ts';
import { batchInput } from './schemas/inputs.ts';
import { batchOutput } from './schemas/outputs.ts';

export const batchAddDocuments = operation({
  name: 'documents.batchAdd',
  summary: 'Add several documents',
  description:
    'Takes 1–600 documents. A refused document gets the status error; the others are still added. The fields of the batch apply to every document. A field of a document overrides the same field of the batch; metadata is merged key by key.',
  rest: { method: 'POST', path: '/v3/documents/batch', status: 200 },
  permission: 'write',
  reaches: 'tags',
  input: batchInput,
  output: batchOutput,
  tags: (input) => [
    ...(input.tags ?? []),
    ...input.documents.flatMap((document) => document.value?.tags ?? []),
  ],
  adds: ({ documents }) => addedTogether(documents.map(({ value }) => addedText(value?.content ?? ''))),
  examples: [
    {
      summary: 'Two documents under one container tag',
      input: {
        documents: ['The office opens at nine.', { content: 'It closes at six.', customId: 'closing' }],
        containerTag: 'office',
      },
    },
  ],
  run: (service, input, caller) => service.documents.addBatch(caller, input),
});
