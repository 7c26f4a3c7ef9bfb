// Listing the keys of the organisation.
import { operation } from '../contract.ts';
import { listKeysInput, listKeysOutput } from '../shared/keys.ts';

export const listKeys = operation({
  name: 'keys.list',
  summary: 'List keys',
  description: 'Every key with what it may do, and never the key itself.',
  rest: { method: 'GET', path: '/v3/auth/keys', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: listKeysInput,
  output: listKeysOutput,
  run: (service) => service.access.listKeys(),
});
