// Count what a new connection would sync.
import { operation } from '../operation.ts';
import { connectionPreview, previewConnectionInput } from './schemas/connections.ts';

export const previewConnection = operation({
  name: 'connections.preview',
  summary: 'Count what a new connection would sync',
  description: 'Lists the source with these options, and stores nothing. It counts for 20 seconds at most.',
  rest: { method: 'POST', path: '/v3/connections/{provider}/preview', status: 200 },
  permission: 'read',
  reaches: 'organisation',

  input: previewConnectionInput,
  output: connectionPreview,
  errors: [400, 501],
  run: (service, input, _caller, signal) => service.connections.preview(input, signal),
});
