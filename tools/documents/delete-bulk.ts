// Deleting many documents for good.
import { operation } from '../contract.ts';
import { bulkDeleteOutput } from '../shared/document-outputs.ts';
import { bulkDeleteInput } from '../shared/documents.ts';

export const deleteDocuments = operation({
  name: 'documents.deleteBulk',
  summary: 'Delete several documents',
  description:
    'Permanent. Takes exactly one of ids (up to 100), containerTags (everything under them) or filepath (exact, or all below it when it ends with "/"). An id that does not exist stands in errors and does not fail the call.',
  rest: { method: 'DELETE', path: '/v3/documents/bulk', status: 200, fields: 'body' },
  permission: 'write',
  reaches: 'tags',
  input: bulkDeleteInput,
  output: bulkDeleteOutput,
  tags: (input) => input.tags,
  examples: [
    { summary: 'By container tag', input: { containerTags: ['user_ada'] } },
    { summary: 'By id', input: { ids: ['1BQ8vWzUqTfGZ4kS9xNc7d'] } },
  ],
  run: (service, input, caller) => service.documents.removeMany(caller, input),
});
