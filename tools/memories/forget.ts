// Forgetting one memory: it stays stored and is found no more.
import { operation } from '../contract.ts';
import { forgetMemoryInput } from '../shared/memories.ts';
import { forgetMemoryOutput } from '../shared/memory-outputs.ts';

export const forgetMemory = operation({
  name: 'memories.forget',
  summary: 'Forget a memory',
  description:
    'Soft: searches leave it out unless they ask for forgotten memories, and lists show it marked. Takes the id or the exact text; 409 when it is forgotten already or a newer version took its place.',
  rest: { method: 'DELETE', path: '/v4/memories', status: 200, fields: 'body' },
  permission: 'write',
  reaches: 'tags',
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
