// The log of requests.
import { operation } from '../operation.ts';
import { logsInput, logsOutput } from './schemas/analytics.ts';

export const readLogs = operation({
  name: 'analytics.logs',
  summary: 'Read the request log',
  description:
    'Lists single calls, newest first. Of texts it holds only the length, unless MEMOIR_REQUEST_LOG is full. Rows stay for 7 days, and at most 100,000. Needs a key with full access; at most 100 calls a minute for all of /v3/analytics.',
  rest: { method: 'GET', path: '/v3/analytics/logs', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: logsInput,
  output: logsOutput,
  errors: [429],
  run: (service, input, caller) => service.usage.logs(caller, input),
});
