// The plugins that connect with a key of their own.
import { z } from 'zod';
import { operation } from '../contract.ts';
import { listPluginsOutput, PLUGINS } from '../shared/grants.ts';

export const listPlugins = operation({
  name: 'grants.listPlugins',
  summary: 'List plugins',
  description: 'The ids that the page /auth/connect takes as client.',
  rest: { method: 'GET', path: '/v3/auth/plugins', status: 200 },
  permission: 'read',
  reaches: 'self',
  input: z.object({}),
  output: listPluginsOutput,
  run: async () => ({ plugins: [...PLUGINS] }),
});
