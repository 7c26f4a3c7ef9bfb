// Disabling a key.
import { operation } from '../contract.ts';
import { disableKeyOutput, keyReference } from '../shared/keys.ts';

export const disableKey = operation({
  name: 'keys.disable',
  summary: 'Disable a key',
  description: 'From then on the key gets 401. Its documents and container tags stay.',
  rest: { method: 'DELETE', path: '/v3/auth/scoped-key/{id}', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  input: keyReference,
  output: disableKeyOutput,
  errors: [404],
  run: (service, input) => service.access.disableKey(input.id),
});
