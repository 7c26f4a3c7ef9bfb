// The plugins that connect with a key of their own.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { listPluginsOutput, PLUGINS } from './schemas/grants.ts';

export const listPlugins = operation({
  name: 'grants.listPlugins',
  summary: 'List plugins',
  description: 'Returns the ids that the page /auth/connect accepts as client.',
  rest: { method: 'GET', path: '/v3/auth/plugins', status: 200 },
  permission: 'read',
  reaches: 'self',
  input: z.object({}),
  output: listPluginsOutput,
  run: async () => ({ plugins: [...PLUGINS] }),
});
