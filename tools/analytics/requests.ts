// The log of requests, as the published command line reads it.
import { operation } from '../operation.ts';
import { logsOutput, requestsInput } from './schemas/analytics.ts';

export const readRequests = operation({
  name: 'analytics.requests',
  summary: 'Read requests',
  description:
    'Lists single calls like /v3/analytics/logs, narrowed by success or failure and by request id. Needs a key with full access; at most 100 calls a minute for all of /v3/analytics.',
  rest: { method: 'GET', path: '/v3/analytics/requests', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: requestsInput,
  output: logsOutput,
  errors: [429],
  run: (service, input, caller) => service.usage.requests(caller, input),
});
