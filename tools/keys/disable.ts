// Disabling a key.
import { operation } from '../operation.ts';
import { disableKeyOutput, keyReference } from './schemas/keys.ts';

export const disableKey = operation({
  name: 'keys.disable',
  summary: 'Disable a key',
  description:
    'From then on, requests with the key get 401, and so do requests with the keys that it made and the grants that it gave. Its documents and container tags stay.',
  rest: { method: 'DELETE', path: '/v3/auth/scoped-key/{id}', status: 200 },
  permission: 'write',
  reaches: 'account',
  audits: 'key.disable',
  input: keyReference,
  output: disableKeyOutput,
  errors: [404],
  run: (service, input, caller) => service.access.disableKey(input.id, caller),
});
