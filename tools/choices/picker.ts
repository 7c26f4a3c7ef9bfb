// Open the page for choosing.

import { choicePageOutput, connectionById } from '../connections/schemas/connections.ts';
import { operation } from '../operation.ts';

export const choicePage = operation({
  name: 'connections.choicePage',
  summary: 'Open the page for choosing',
  description:
    'Answers the address of a page in the browser on which a person ticks what the connection syncs. It acts with the rights of the key that calls, for an hour.',
  rest: { method: 'POST', path: '/v3/connections/{connectionId}/picker', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  input: connectionById,
  output: choicePageOutput,
  errors: [400, 404, 501],
  run: (service, { connectionId }, caller) => service.connections.choicePage(caller, connectionId),
});
