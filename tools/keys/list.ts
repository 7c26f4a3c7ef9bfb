// Listing the keys of the organisation.
import { operation } from '../operation.ts';
import { listKeysInput, listKeysOutput } from './schemas/keys.ts';

export const listKeys = operation({
  name: 'keys.list',
  summary: 'List keys',
  description: 'Returns every key with its permissions and the key that made it, without the secret.',
  rest: { method: 'GET', path: '/v3/auth/keys', status: 200 },
  permission: 'read',
  reaches: 'account',
  input: listKeysInput,
  output: listKeysOutput,
  run: (service, _input, caller) => service.access.listKeys(caller),
});
