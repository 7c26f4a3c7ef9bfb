// Creating memories directly, without a document to draw them from.
import { operation } from '../operation.ts';
import { createMemoriesInput } from './schemas/inputs.ts';
import { createMemoriesOutput } from './schemas/outputs.ts';

export const createMemories = operation({
  name: 'memories.add',
  summary: 'Create memories',
  description:
    'Stores statements as memories; they are searchable at once. A small document is created as their source. A statement that is already stored keeps its id and gets one more source. An unknown container tag is created.',
  rest: { method: 'POST', path: '/v4/memories', status: 201 },
  permission: 'write',
  reaches: 'tags',
  input: createMemoriesInput,
  output: createMemoriesOutput,
  tags: (input) => input.tags,
  examples: [
    {
      summary: 'A lasting trait, and a fact that is true for a short time',
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
