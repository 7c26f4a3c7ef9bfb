// Listing documents with the memories drawn from them.
import { operation } from '../operation.ts';
import { withMemoriesInput } from './schemas/inputs.ts';
import { withMemoriesOutput } from './schemas/outputs.ts';

export const listDocumentsWithMemories = operation({
  name: 'documents.listWithMemories',
  summary: 'List documents with their memories',
  description:
    'Lists documents page by page, each with its memories in all versions and their relations. Use it to draw a graph.',
  rest: { method: 'POST', path: '/v3/documents/documents', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: withMemoriesInput,
  output: withMemoriesOutput,
  tags: (input) => input.tags,
  examples: [
    {
      summary: 'The most recently changed documents',
      input: { containerTags: ['user_ada'], sort: 'updatedAt', limit: 200 },
    },
  ],
  run: (service, input, caller) => service.documents.listWithMemories(caller, input),
});
