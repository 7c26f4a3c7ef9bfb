// The amount of stored content, and its growth.
import { operation } from '../operation.ts';
import { memoryOutput, rangeInput } from './schemas/analytics.ts';

export const readMemory = operation({
  name: 'analytics.memory',
  summary: 'Read totals',
  description:
    'Counts what is stored, and compares what came in a time with the time before. Needs a key with full access; at most 100 calls a minute for all of /v3/analytics.',
  rest: { method: 'GET', path: '/v3/analytics/memory', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: rangeInput,
  output: memoryOutput,
  errors: [429],
  run: (service, input, caller) => service.usage.memory(caller, input),
});
