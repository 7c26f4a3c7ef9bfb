// The queue: documents that are not finished.
import { operation } from '../operation.ts';
import { processingInput } from './schemas/inputs.ts';
import { processingOutput } from './schemas/outputs.ts';

export const listProcessingDocuments = operation({
  name: 'documents.listProcessing',
  summary: 'List documents in the queue',
  description:
    'Returns documents that are queued or being processed, newest first: at most 1,100. totalCount is the number of all such documents.',
  rest: { method: 'GET', path: '/v3/documents/processing', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: processingInput,
  output: processingOutput,
  tags: (input) => input.tags,
  run: (service, input, caller) => service.documents.processing(caller, input),
});
