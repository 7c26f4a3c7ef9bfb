// Listing documents, with the fields as query parameters.
import { operation } from '../operation.ts';
import { listQueryInput } from './schemas/inputs.ts';
import { listOutput } from './schemas/outputs.ts';

export const listDocumentsByQuery = operation({
  name: 'documents.listByQuery',
  summary: 'List documents (query parameters)',
  description: 'The same as POST /v3/documents/list, with the fields as query parameters.',
  rest: { method: 'GET', path: '/v3/documents', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: listQueryInput,
  output: listOutput,
  tags: (input) => input.tags,
  examples: [
    {
      summary: 'Documents that are still being processed',
      input: { containerTags: 'user_ada,user_bob', status: 'queued,processing' },
    },
  ],
  run: (service, input, caller) => service.documents.list(caller, input),
});
