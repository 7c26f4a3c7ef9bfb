// Forgetting one memory: it stays stored, but searches no longer find it.
import { operation } from '../operation.ts';
import { forgetMemoryInput } from './schemas/inputs.ts';
import { forgetMemoryOutput } from './schemas/outputs.ts';

export const forgetMemory = operation({
  name: 'memories.forget',
  summary: 'Forget a memory',
  description:
    'Marks a memory as forgotten; it stays stored. Searches leave it out unless they request forgotten memories; lists show it with a mark. Takes the id or the exact text. Returns 409 if the memory is already forgotten or a newer version replaced it.',
  rest: { method: 'DELETE', path: '/v4/memories', status: 200, fields: 'body' },
  permission: 'write',
  reaches: 'tags',
  audits: 'memory.forget',
  input: forgetMemoryInput,
  output: forgetMemoryOutput,
  tags: (input) => input.tags,
  errors: [404, 409],
  examples: [
    {
      summary: 'By its exact text',
      input: { containerTag: 'user_ada', content: 'Ada prefers tea.', reason: 'She said it is wrong' },
    },
  ],
  run: (service, input, caller) => service.memories.forget(caller, input),
});
