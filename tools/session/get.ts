// Who is calling, and what the key may do.
import { operation } from '../contract.ts';
import { sessionInput, sessionOutput } from '../shared/keys.ts';

export const getSession = operation({
  name: 'session.get',
  summary: 'Read the session',
  description:
    'Tells whose key this is, its organisation, its container tags, its rate limit and its expiry.',
  rest: { method: 'GET', path: '/v3/session', status: 200 },
  permission: 'read',
  reaches: 'self',
  input: sessionInput,
  output: sessionOutput,
  run: (service, _input, caller) => service.access.session(caller),
});
