// The passages that one document was cut into.
import { operation } from '../contract.ts';
import { chunksOutput } from '../shared/document-outputs.ts';
import { referenceInput } from '../shared/documents.ts';

export const listDocumentChunks = operation({
  name: 'documents.chunks',
  summary: 'Read the chunks of a document',
  description: 'In the order of the document. A document that is still being processed may have none yet.',
  rest: { method: 'GET', path: '/v3/documents/{id}/chunks', status: 200 },
  permission: 'read',
  reaches: 'document',
  input: referenceInput,
  output: chunksOutput,
  tags: () => undefined,
  run: (service, input, caller) => service.documents.chunks(caller, input.id),
});
