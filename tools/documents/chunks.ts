// The passages that one document was cut into.
import { operation } from '../operation.ts';
import { referenceInput } from './schemas/inputs.ts';
import { chunksOutput } from './schemas/outputs.ts';

export const listDocumentChunks = operation({
  name: 'documents.chunks',
  summary: 'Read the chunks of a document',
  description:
    'Returns the chunks in document order. A document that is still being processed may have no chunks yet.',
  rest: { method: 'GET', path: '/v3/documents/{id}/chunks', status: 200 },
  permission: 'read',
  reaches: 'document',
  input: referenceInput,
  output: chunksOutput,
  tags: () => undefined,
  run: (service, input, caller) => service.documents.chunks(caller, input.id),
});
