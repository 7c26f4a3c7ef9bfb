// Listing documents, asked in a body.
import { operation } from '../contract.ts';
import { listOutput } from '../shared/document-outputs.ts';
import { listInput } from '../shared/documents.ts';

export const listDocuments = operation({
  name: 'documents.list',
  summary: 'List documents',
  description:
    'Pages through documents by container tag, status, metadata and path. The answer calls them memories, as published; they are documents.',
  rest: { method: 'POST', path: '/v3/documents/list', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: listInput,
  output: listOutput,
  tags: (input) => input.tags,
  examples: [
    { summary: 'The latest ten', input: {} },
    {
      summary: 'By container tag and metadata',
      input: {
        containerTags: ['user_ada'],
        filters: { AND: [{ key: 'kind', value: 'preference' }] },
        limit: 50,
      },
    },
  ],
  run: (service, input, caller) => service.documents.list(caller, input),
});
