// Searching memories and passages; each is one result.
import { operation } from '../operation.ts';
import { searchTool } from './memories.agent.ts';
import { searchMemoriesInput } from './schemas/inputs.ts';
import { searchMemoriesOutput } from './schemas/outputs.ts';

export const searchMemories = operation({
  name: 'search.memories',
  summary: 'Search memories',
  description:
    'Finds memories, chunks or both by meaning and by words, best first. Only results that reach the threshold are returned: if nothing relevant is stored, there are no results.',
  rest: { method: 'POST', path: '/v4/search', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: searchMemoriesInput,
  output: searchMemoriesOutput,
  mcp: searchTool,
  tags: (input) => input.tags,
  searches: true,
  examples: [
    { summary: 'A question', input: { q: 'What does Ada like to drink?', containerTag: 'user_ada' } },
    {
      summary: 'An exact code, by words alone',
      input: { q: 'INV-20931', containerTag: 'office', searchMode: 'keyword' },
    },
    {
      summary: 'Memories and chunks, with their documents',
      input: {
        q: 'trains to Lyon',
        searchMode: 'hybrid',
        include: { documents: true },
        filters: { AND: [{ key: 'kind', value: 'travel' }] },
      },
    },
  ],
  run: (service, input, caller, signal) => service.search.memories(caller, input, signal),
});
