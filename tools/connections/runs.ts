// List the runs of a connection.
import { operation } from '../operation.ts';
import { connectionById, syncRunsOutput } from './schemas/connections.ts';

export const connectionRuns = operation({
  name: 'connections.syncRuns',
  summary: 'List the runs of a connection',
  description: 'The 50 newest, also the one that is running, with its counts.',
  rest: { method: 'GET', path: '/v3/connections/{connectionId}/sync-runs', status: 200 },
  permission: 'read',
  reaches: 'organisation',

  input: connectionById,
  output: syncRunsOutput,
  errors: [404],
  run: (service, { connectionId }, caller) => service.connections.runs(caller, connectionId),
});
