// Adding several documents in one request.
import { operation } from '../contract.ts';
import { batchOutput } from '../shared/document-outputs.ts';
import { batchInput } from '../shared/documents.ts';

export const batchAddDocuments = operation({
  name: 'documents.batchAdd',
  summary: 'Add several documents',
  description:
    'Takes 1–600 documents. One that is refused is answered with the status error and does not fail the others. Fields of the batch hold for every document; its own fields win, in metadata key by key.',
  rest: { method: 'POST', path: '/v3/documents/batch', status: 200 },
  permission: 'write',
  reaches: 'tags',
  input: batchInput,
  output: batchOutput,
  tags: (input) => [
    ...(input.tags ?? []),
    ...input.documents.flatMap((document) => document.value?.tags ?? []),
  ],
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
