// Changing the name, the rights, the end or the rate of a key.
import { operation } from '../operation.ts';
import { updateKeyInput, updateKeyOutput } from './schemas/keys.ts';

export const updateKey = operation({
  name: 'keys.update',
  summary: 'Change a key',
  description:
    'A field that is left out keeps its value; only an owner or an admin sets quotas. The secret stays the same. A key changes neither itself nor a key that made it, gives no longer end and no higher rate than its own, and a key that made others cannot be bound to tags or made read-only.',
  rest: { method: 'PATCH', path: '/v3/auth/keys/{id}', status: 200 },
  permission: 'write',
  reaches: 'account',
  audits: 'key.change',
  input: updateKeyInput,
  output: updateKeyOutput,
  errors: [404, 409],
  examples: [
    {
      summary: 'Let a key read alone, for a month',
      input: { id: '1BQ8vWzUqTfGZ4kS9xNc7d', permission: 'read', expiresInDays: 30 },
    },
  ],
  run: (service, input, caller) => service.access.updateKey(input, caller),
});
