// Listing the browsers in which the caller is signed in.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { listSessionsOutput } from './schemas/sessions.ts';

export const listSessions = operation({
  name: 'session.list',
  summary: 'List your sessions',
  description: 'Returns the browsers in which you are signed in at /console/.',
  rest: { method: 'GET', path: '/v3/auth/sessions', status: 200 },
  permission: 'read',
  reaches: 'account',
  input: z.object({}),
  output: listSessionsOutput,
  run: (service, _input, caller) => service.access.sessions.list(caller),
});
