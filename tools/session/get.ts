// Reading the session: the caller, and the rights of the key.

import { sessionInput, sessionOutput } from '../keys/schemas/keys.ts';
import { operation } from '../operation.ts';

export const getSession = operation({
  name: 'session.get',
  summary: 'Read the session',
  description:
    'Returns the user, the organisation, the container tags, the rate limit and the expiry of the key.',
  rest: { method: 'GET', path: '/v3/session', status: 200 },
  permission: 'read',
  reaches: 'self',
  input: sessionInput,
  output: sessionOutput,
  run: (service, _input, caller) => service.access.session(caller),
});
