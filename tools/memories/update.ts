// Creating a new version of a memory.
import { operation } from '../operation.ts';
import { updateMemoryInput } from './schemas/inputs.ts';
import { updateMemoryOutput } from './schemas/outputs.ts';

export const updateMemory = operation({
  name: 'memories.updateMemory',
  summary: 'Update a memory',
  description:
    'Creates a new version that replaces the old one; the old version stays in the history. Fields that are left out are inherited. forgetAfter null removes the date and its reason. Returns 409 for an earlier version or a forgotten memory: they cannot be updated.',
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
