// Listing documents, with the fields in the body.
import { operation } from '../operation.ts';
import { listInput } from './schemas/inputs.ts';
import { listOutput } from './schemas/outputs.ts';

export const listDocuments = operation({
  name: 'documents.list',
  summary: 'List documents',
  description:
    'Lists documents page by page, filtered by container tag, status, metadata and path. The field memories of the answer holds the documents; the name comes from the published API.',
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
