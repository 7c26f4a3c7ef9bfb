// Making a key that is bound to container tags.
import { operation } from '../contract.ts';
import { createScopedKeyInput, scopedKeyOutput } from '../shared/keys.ts';

export const createScopedKey = operation({
  name: 'keys.createScoped',
  summary: 'Create a scoped key',
  description:
    'Makes a key for one or several container tags. The key is shown this once. It may make 500 requests a minute unless told otherwise.',
  rest: { method: 'POST', path: '/v3/auth/scoped-key', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  input: createScopedKeyInput,
  output: scopedKeyOutput,
  examples: [
    { summary: 'For one user, for a month', input: { containerTag: 'user_ada', expiresInDays: 30 } },
  ],
  run: (service, input) => service.access.createScopedKey(input),
});
