// Listing documents together with the memories drawn from them.
import { operation } from '../contract.ts';
import { withMemoriesOutput } from '../shared/document-outputs.ts';
import { withMemoriesInput } from '../shared/documents.ts';

export const listDocumentsWithMemories = operation({
  name: 'documents.listWithMemories',
  summary: 'List documents with their memories',
  description:
    'Pages through documents, each with its memories in all versions and their relations: what a graph is drawn from.',
  rest: { method: 'POST', path: '/v3/documents/documents', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: withMemoriesInput,
  output: withMemoriesOutput,
  tags: (input) => input.tags,
  examples: [
    { summary: 'The last changed', input: { containerTags: ['user_ada'], sort: 'updatedAt', limit: 200 } },
  ],
  run: (service, input, caller) => service.documents.listWithMemories(caller, input),
});
