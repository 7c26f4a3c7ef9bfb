// The queue: documents that are not finished.
import { operation } from '../contract.ts';
import { processingOutput } from '../shared/document-outputs.ts';
import { processingInput } from '../shared/documents.ts';

export const listProcessingDocuments = operation({
  name: 'documents.listProcessing',
  summary: 'List documents in the queue',
  description:
    'Documents that are queued or being processed, newest first. Shows at most 1,100; totalCount counts them all.',
  rest: { method: 'GET', path: '/v3/documents/processing', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: processingInput,
  output: processingOutput,
  tags: (input) => input.tags,
  run: (service, input, caller) => service.documents.processing(caller, input),
});
