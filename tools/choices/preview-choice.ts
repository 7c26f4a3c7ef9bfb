// Count what a connection would sync with another choice.

import { configureInput, connectionPreview } from '../connections/schemas/connections.ts';
import { operation } from '../operation.ts';

export const previewChoice = operation({
  name: 'connections.previewChoice',
  summary: 'Count what a choice would sync',
  description:
    'Lists what the connection would sync with these resources, and stores nothing. It counts for 20 seconds at most.',
  rest: { method: 'POST', path: '/v3/connections/{connectionId}/preview-choice', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: configureInput,
  output: connectionPreview,
  errors: [400, 404, 501],
  run: (service, input, caller, signal) => service.connections.previewChoice(caller, input, signal),
});
