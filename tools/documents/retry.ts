// Processing one document again after a failure.
import { operation } from '../operation.ts';
import { referenceInput } from './schemas/inputs.ts';
import { updatedOutput } from './schemas/outputs.ts';

export const retryDocument = operation({
  name: 'documents.retry',
  summary: 'Retry a document',
  description:
    'Processes a document again that failed, or at once a document that waits after a failure. Memories that could not be drawn are drawn again. A document without a failure stays as it is.',
  rest: { method: 'POST', path: '/v3/documents/{id}/retry', status: 202 },
  permission: 'write',
  reaches: 'document',
  input: referenceInput,
  output: updatedOutput,
  tags: () => undefined,
  run: (service, input, caller) => service.documents.retry(caller, input.id),
});
