// Processing documents again after failures, by filter.
import { operation } from '../operation.ts';
import { retryInput } from './schemas/inputs.ts';
import { retryOutput } from './schemas/outputs.ts';

export const retryDocuments = operation({
  name: 'documents.retryBulk',
  summary: 'Retry several documents',
  description:
    'Processes all documents again that failed, and at once those that wait after a failure; container tags, status, filters and filepath narrow the choice as in a list. With status done, memories that could not be drawn are drawn again. Returns the number of documents that run again.',
  rest: { method: 'POST', path: '/v3/documents/retry', status: 202 },
  permission: 'write',
  reaches: 'tags',
  input: retryInput,
  output: retryOutput,
  tags: (input) => input.tags,
  examples: [
    { summary: 'Everything that failed', input: {} },
    { summary: 'By container tag', input: { containerTags: ['user_ada'], status: 'failed' } },
  ],
  run: (service, input, caller) => service.documents.retryMany(caller, input),
});
