// Deleting many documents for good.
import { operation } from '../operation.ts';
import { bulkDeleteInput } from './schemas/inputs.ts';
import { bulkDeleteOutput } from './schemas/outputs.ts';

export const deleteDocuments = operation({
  name: 'documents.deleteBulk',
  summary: 'Delete several documents',
  description:
    'Permanent. Takes exactly one of ids (up to 100), containerTags (all documents with these tags) or filepath (an exact path, or a folder that ends with "/"). An id that does not exist is reported in errors; the call still succeeds.',
  rest: { method: 'DELETE', path: '/v3/documents/bulk', status: 200, fields: 'body' },
  permission: 'write',
  reaches: 'tags',
  audits: 'document.delete',
  input: bulkDeleteInput,
  output: bulkDeleteOutput,
  tags: (input) => input.tags,
  examples: [
    { summary: 'By container tag', input: { containerTags: ['user_ada'] } },
    { summary: 'By id', input: { ids: ['1BQ8vWzUqTfGZ4kS9xNc7d'] } },
  ],
  run: (service, input, caller) => service.documents.removeMany(caller, input),
});
