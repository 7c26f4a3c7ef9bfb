// Sealing all stored secrets with a new key.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { rotationOutput } from './schemas/secrets.ts';

export const rotateSecrets = operation({
  name: 'secrets.rotate',
  summary: 'Encrypt stored secrets with a new key',
  description:
    'Changes the key in the data folder and encrypts the secrets of settings and connections anew; each stays readable at every moment. Where MEMOIR_SECRET_KEY holds the key, change it there first, keep the former key in MEMOIR_SECRET_KEY_PREVIOUS, restart, and then call this. Links to files end with the next start.',
  rest: { method: 'POST', path: '/v3/secrets/rotate', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  audits: 'secrets.rotate',
  input: z.object({}),
  output: rotationOutput,
  run: (service, _input, caller) => service.audit.after(caller, {}, () => service.secrets.rotate()),
});
