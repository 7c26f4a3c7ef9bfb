// The organisation's settings.
import { z } from 'zod';
import { operation } from '../contract.ts';
import { settingsOutput } from '../shared/settings.ts';

export const getSettings = operation({
  name: 'settings.get',
  summary: 'Read the settings',
  description: 'A setting that was never set is null. Client secrets are masked.',
  rest: { method: 'GET', path: '/v3/settings', status: 200 },
  permission: 'read',
  reaches: 'organisation',
  input: z.object({}),
  output: settingsOutput,
  run: (service) => service.settings.get(),
});
