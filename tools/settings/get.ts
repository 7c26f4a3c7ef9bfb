// The organisation's settings.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { settingsOutput } from './schemas/settings.ts';

export const getSettings = operation({
  name: 'settings.get',
  summary: 'Read the settings',
  description:
    'Returns all settings. A setting without a value is null. Client secrets are masked; a key that is bound to container tags, a connected program and the key of a plugin get none of them.',
  rest: { method: 'GET', path: '/v3/settings', status: 200 },
  permission: 'read',
  reaches: 'self',
  input: z.object({}),
  output: settingsOutput,
  run: (service, _input, caller) => service.settings.get(caller),
});
