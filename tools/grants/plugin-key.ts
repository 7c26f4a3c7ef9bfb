// Creating a key for a plugin, without the connect page.
import { operation } from '../operation.ts';
import { pluginKeyInput, pluginKeyOutput } from './schemas/grants.ts';

const YEAR_DAYS = 365;

export const createPluginKey = operation({
  name: 'grants.createPluginKey',
  summary: 'Create a key for a plugin',
  description:
    'Creates a key for a plugin without the page /auth/connect. The caller needs a key with full access; the new key has the same permission, is valid for one year at most, ends with the key of the caller, and manages nothing: no keys, grants, settings or whole tags.',
  rest: { method: 'GET', path: '/v3/auth/key', status: 200 },
  permission: 'write',
  reaches: 'account',
  audits: 'key.create',
  input: pluginKeyInput,
  output: pluginKeyOutput,
  run: (service, { client }, caller) =>
    service.access.grants.giveKey(
      caller,
      { permission: caller.permission, tags: null, expiresInDays: YEAR_DAYS },
      client,
    ),
});
