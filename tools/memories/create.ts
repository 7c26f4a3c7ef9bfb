// Making memories directly, without a document to draw them from.
import { operation } from '../contract.ts';
import { createMemoriesInput } from '../shared/memories.ts';
import { createMemoriesOutput } from '../shared/memory-outputs.ts';

export const createMemories = operation({
  name: 'memories.add',
  summary: 'Create memories',
  description:
    'Stores statements as memories and makes them searchable at once; a light document stands as their source. A statement that is known already gets one more source and keeps its id. An unknown container tag is created.',
  rest: { method: 'POST', path: '/v4/memories', status: 201 },
  permission: 'write',
  reaches: 'tags',
  input: createMemoriesInput,
  output: createMemoriesOutput,
  tags: (input) => input.tags,
  examples: [
    {
      summary: 'A lasting trait, and something that is over soon',
      input: {
        containerTag: 'user_ada',
        memories: [
          { content: 'Ada prefers tea.', isStatic: true },
          {
            content: 'Ada is in Lyon this week.',
            forgetAfter: '2026-03-08T00:00:00Z',
            forgetReason: 'The trip is over',
          },
        ],
      },
    },
  ],
  run: (service, input, caller, signal) => service.memories.create(caller, input, signal),
});
