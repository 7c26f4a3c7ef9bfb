// Reviewing an inferred memory.
import { operation } from '../operation.ts';
import { reviewInput } from './schemas/inputs.ts';
import { reviewOutput } from './schemas/outputs.ts';

export const reviewMemory = operation({
  name: 'memories.review',
  summary: 'Review an inferred memory',
  description:
    'approve makes the memory a fact, decline forgets it, undo reverses the decision. Returns 409 if the memory is not waiting for a review, or if there is no decision to undo.',
  rest: { method: 'POST', path: '/v3/container-tags/{containerTag}/inferred/{memoryId}/review', status: 200 },
  permission: 'write',
  reaches: 'tags',
  input: reviewInput,
  output: reviewOutput,
  tags: (input) => [input.containerTag],
  errors: [404, 409],
  examples: [
    {
      summary: 'Approve a memory',
      input: { containerTag: 'user_ada', memoryId: '1BQ8vWzUqTfGZ4kS9xNc7d', action: 'approve' },
    },
  ],
  run: (service, input, caller) => service.memories.review(caller, input),
});
