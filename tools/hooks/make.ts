// Make the address of a webhook that a person sets up at the source.
import { connectionById, handMadeHook } from '../connections/schemas/connections.ts';
import { operation } from '../operation.ts';

export const makeConnectionHook = operation({
  name: 'connections.makeHook',
  summary: 'Make the address of a webhook',
  description:
    'For a source whose webhooks are set up by hand, as those of Notion are. The address is answered once; another call makes another one, and the former stops working.',
  rest: { method: 'POST', path: '/v3/connections/{connectionId}/hook', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  audits: 'connection.change',
  input: connectionById,
  output: handMadeHook,
  errors: [400, 404, 501],
  run: (service, { connectionId }, caller) => service.connections.makeHook(caller, connectionId),
});
