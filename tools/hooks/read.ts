// Read the state of a webhook that a person sets up at the source.
import { connectionById, handMadeHook } from '../connections/schemas/connections.ts';
import { operation } from '../operation.ts';

export const readConnectionHook = operation({
  name: 'connections.readHook',
  summary: 'Read the state of a webhook',
  description:
    'The verification token that the source sent is shown until the source has called with its signature.',
  rest: { method: 'GET', path: '/v3/connections/{connectionId}/hook', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  input: connectionById,
  output: handMadeHook,
  errors: [404, 501],
  run: (service, { connectionId }, caller) => service.connections.readHook(caller, connectionId),
});
