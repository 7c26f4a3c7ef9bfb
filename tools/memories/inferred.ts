// The guesses that wait for somebody to judge them.
import { operation } from '../contract.ts';
import { inferredInput } from '../shared/memories.ts';
import { inferredOutput } from '../shared/memory-outputs.ts';

export const inferredMemories = operation({
  name: 'memories.inferred',
  summary: 'List inferred memories',
  description:
    'Memories that were concluded from others and have not been reviewed: at most 50, those concluded from most memories first, then the newest.',
  rest: { method: 'GET', path: '/v3/container-tags/{containerTag}/inferred', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: inferredInput,
  output: inferredOutput,
  tags: (input) => [input.containerTag],
  run: (service, input, caller) => service.memories.inferred(caller, input),
});
