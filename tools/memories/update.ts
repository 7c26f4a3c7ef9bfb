// Giving a memory a new version.
import { operation } from '../contract.ts';
import { updateMemoryInput } from '../shared/memories.ts';
import { updateMemoryOutput } from '../shared/memory-outputs.ts';

export const updateMemory = operation({
  name: 'memories.updateMemory',
  summary: 'Update a memory',
  description:
    'Makes a new version that takes the place of the old one, which stays in the history. What is left out is inherited; forgetAfter null clears the date and its reason. An earlier version and a forgotten memory cannot be updated: 409.',
  rest: { method: 'PATCH', path: '/v4/memories', status: 200 },
  permission: 'write',
  reaches: 'tags',
  input: updateMemoryInput,
  output: updateMemoryOutput,
  tags: (input) => input.tags,
  errors: [404, 409],
  examples: [
    {
      summary: 'By its exact text',
      input: {
        containerTag: 'user_ada',
        content: 'Ada prefers tea.',
        newContent: 'Ada prefers coffee.',
      },
    },
  ],
  run: (service, input, caller, signal) => service.memories.update(caller, input, signal),
});
