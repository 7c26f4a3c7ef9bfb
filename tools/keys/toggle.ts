// Disabling and enabling a key.
import { operation } from '../operation.ts';
import { keyReference, toggleKeyOutput } from './schemas/keys.ts';

export const toggleKey = operation({
  name: 'keys.toggle',
  summary: 'Disable or enable a key',
  description:
    'Requests with a disabled key get 401 until the key is enabled again, and so do requests with the keys that it made and the grants that it gave.',
  rest: { method: 'PUT', path: '/v3/auth/keys/{id}/toggle', status: 200 },
  permission: 'write',
  reaches: 'account',
  audits: 'key.toggle',
  input: keyReference,
  output: toggleKeyOutput,
  errors: [404],
  run: (service, input, caller) => service.access.toggleKey(input.id, caller),
});
