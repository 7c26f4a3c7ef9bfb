// Listing documents, asked in a query.
import { operation } from '../contract.ts';
import { listOutput } from '../shared/document-outputs.ts';
import { listQueryInput } from '../shared/documents.ts';

export const listDocumentsByQuery = operation({
  name: 'documents.listByQuery',
  summary: 'List documents by query',
  description: 'The same as POST /v3/documents/list, with its fields in the query.',
  rest: { method: 'GET', path: '/v3/documents', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: listQueryInput,
  output: listOutput,
  tags: (input) => input.tags,
  examples: [
    {
      summary: 'What is still being processed',
      input: { containerTags: 'user_ada,user_bob', status: 'queued,processing' },
    },
  ],
  run: (service, input, caller) => service.documents.list(caller, input),
});
