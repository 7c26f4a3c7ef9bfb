// Turning a key off and on.
import { operation } from '../contract.ts';
import { keyReference, toggleKeyOutput } from '../shared/keys.ts';

export const toggleKey = operation({
  name: 'keys.toggle',
  summary: 'Turn a key off or on',
  description: 'A key that is off gets 401 until it is turned on again.',
  rest: { method: 'PUT', path: '/v3/auth/keys/{id}/toggle', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  input: keyReference,
  output: toggleKeyOutput,
  errors: [404],
  run: (service, input) => service.access.toggleKey(input.id),
});
