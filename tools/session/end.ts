// Ending a session of a browser.
import { operation } from '../operation.ts';
import { endSessionOutput, sessionReference } from './schemas/sessions.ts';

export const endBrowserSession = operation({
  name: 'session.end',
  summary: 'End a session',
  description: 'Signs one of your browsers out: from then on its requests get 401.',
  rest: { method: 'DELETE', path: '/v3/auth/sessions/{id}', status: 200 },
  permission: 'write',
  reaches: 'account',
  audits: 'session.end',
  input: sessionReference,
  output: endSessionOutput,
  errors: [404],
  async run(service, { id }, caller) {
    await service.access.sessions.end(caller, id);
    return { success: true, id };
  },
});
