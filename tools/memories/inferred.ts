// Listing the inferred memories that wait for a review.
import { operation } from '../operation.ts';
import { inferredInput } from './schemas/inputs.ts';
import { inferredOutput } from './schemas/outputs.ts';

export const inferredMemories = operation({
  name: 'memories.inferred',
  summary: 'List inferred memories',
  description:
    'Returns memories that were derived from other memories and are not reviewed yet: at most 50. Memories derived from the most others come first, then the newest.',
  rest: { method: 'GET', path: '/v3/container-tags/{containerTag}/inferred', status: 200 },
  permission: 'read',
  reaches: 'tags',
  input: inferredInput,
  output: inferredOutput,
  tags: (input) => [input.containerTag],
  run: (service, input, caller) => service.memories.inferred(caller, input),
});
