// Creating a key that is bound to container tags.
import { operation } from '../operation.ts';
import { createScopedKeyInput, scopedKeyOutput } from './schemas/keys.ts';

export const createScopedKey = operation({
  name: 'keys.createScoped',
  summary: 'Create a scoped key',
  description:
    'Creates a key for one or several container tags. The key is shown only this once. The default rate limit is 500 requests per minute. The key never exceeds the key that made it in tags, permission, rate or time, and ends with it.',
  rest: { method: 'POST', path: '/v3/auth/scoped-key', status: 200 },
  permission: 'write',
  reaches: 'account',
  audits: 'key.create',
  input: createScopedKeyInput,
  output: scopedKeyOutput,
  examples: [
    { summary: 'For one user, for a month', input: { containerTag: 'user_ada', expiresInDays: 30 } },
  ],
  run: (service, input, caller) => service.access.createScopedKey(input, caller),
});
