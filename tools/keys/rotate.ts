// Replacing the secret of a key, with a time in which both are valid.
import { operation } from '../operation.ts';
import { rotateKeyInput, rotateKeyOutput } from './schemas/keys.ts';

export const rotateKey = operation({
  name: 'keys.rotate',
  summary: 'Rotate a key',
  description:
    'Makes a new key with the name, rights, end and rate of the former one, and shows it only this once. The former key stays valid for the overlap and ends then. The keys that it made and the grants that it gave belong to the new key. A key may rotate itself.',
  rest: { method: 'POST', path: '/v3/auth/keys/{id}/rotate', status: 200 },
  permission: 'write',
  reaches: 'account',
  audits: 'key.rotate',
  input: rotateKeyInput,
  output: rotateKeyOutput,
  errors: [404, 409],
  examples: [
    {
      summary: 'Both keys are valid for two days',
      input: { id: '1BQ8vWzUqTfGZ4kS9xNc7d', overlapHours: 48 },
    },
  ],
  run: (service, input, caller) => service.access.rotateKey(input, caller),
});
