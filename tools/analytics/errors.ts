// Calls that failed.
import { operation } from '../operation.ts';
import { errorsOutput, rangeInput } from './schemas/analytics.ts';

export const readErrors = operation({
  name: 'analytics.errors',
  summary: 'Read errors',
  description:
    'Counts the calls of a time that failed, by kind, hour and status. Needs a key with full access; at most 100 calls a minute for all of /v3/analytics.',
  rest: { method: 'GET', path: '/v3/analytics/errors', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: rangeInput,
  output: errorsOutput,
  errors: [429],
  run: (service, input, caller) => service.usage.errors(caller, input),
});
