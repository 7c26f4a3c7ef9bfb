// Listing memories with their history and sources.
import { operation } from '../contract.ts';
import { listMemoriesInput } from '../shared/memories.ts';
import { listMemoriesOutput } from '../shared/memory-outputs.ts';

export const listMemories = operation({
  name: 'memories.list',
  summary: 'List memories',
  description:
    'Pages through the latest versions under the container tags, each with its earlier versions, relations and source documents. Forgotten and expired ones are listed and marked.',
  rest: { method: 'POST', path: '/v4/memories/list', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: listMemoriesInput,
  output: listMemoriesOutput,
  tags: (input) => input.tags,
  examples: [{ summary: 'The latest ten', input: { containerTags: ['user_ada'] } }],
  run: (service, input, caller) => service.memories.list(caller, input),
});
