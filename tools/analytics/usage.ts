// Calls by kind, hour and key.
import { operation } from '../operation.ts';
import { usageInput, usageOutput } from './schemas/analytics.ts';

export const readUsage = operation({
  name: 'analytics.usage',
  summary: 'Read usage',
  description:
    'Counts the calls of a time by kind, by hour and by key, with their durations. Needs a key with full access; at most 100 calls a minute for all of /v3/analytics.',
  rest: { method: 'GET', path: '/v3/analytics/usage', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: usageInput,
  output: usageOutput,
  errors: [429],
  run: (service, input, caller) => service.usage.usage(caller, input),
});
