// Listing memories with their history and sources.
import { operation } from '../operation.ts';
import { listMemoriesInput } from './schemas/inputs.ts';
import { listMemoriesOutput } from './schemas/outputs.ts';

export const listMemories = operation({
  name: 'memories.list',
  summary: 'List memories',
  description:
    'Lists the latest versions under the container tags page by page, each with its earlier versions, relations and source documents. Forgotten and expired memories are included and marked.',
  rest: { method: 'POST', path: '/v4/memories/list', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: listMemoriesInput,
  output: listMemoriesOutput,
  tags: (input) => input.tags,
  examples: [{ summary: 'The latest ten', input: { containerTags: ['user_ada'] } }],
  run: (service, input, caller) => service.memories.list(caller, input),
});
