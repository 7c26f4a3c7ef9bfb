// Judging a guess.
import { operation } from '../contract.ts';
import { reviewInput } from '../shared/memories.ts';
import { reviewOutput } from '../shared/memory-outputs.ts';

export const reviewMemory = operation({
  name: 'memories.review',
  summary: 'Review an inferred memory',
  description:
    'approve makes it a fact, decline forgets it, undo takes the judgement back. 409 when it is no guess that waits, or there is nothing to take back.',
  rest: { method: 'POST', path: '/v3/container-tags/{containerTag}/inferred/{memoryId}/review', status: 200 },
  permission: 'write',
  reaches: 'tags',
  input: reviewInput,
  output: reviewOutput,
  tags: (input) => [input.containerTag],
  errors: [404, 409],
  examples: [
    {
      summary: 'It is true',
      input: { containerTag: 'user_ada', memoryId: '1BQ8vWzUqTfGZ4kS9xNc7d', action: 'approve' },
    },
  ],
  run: (service, input, caller) => service.memories.review(caller, input),
});
