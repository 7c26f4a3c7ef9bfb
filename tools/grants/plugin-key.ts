// A key of its own for a plugin, without the page.
import { operation } from '../contract.ts';
import { pluginKeyInput, pluginKeyOutput } from '../shared/grants.ts';

const YEAR_DAYS = 365;

export const createPluginKey = operation({
  name: 'grants.createPluginKey',
  summary: 'Make a key for a plugin',
  description:
    'What the page /auth/connect does for a person, for a program that holds a key with full access: a key that may do the same, for a year.',
  rest: { method: 'GET', path: '/v3/auth/key', status: 200 },
  permission: 'write',
  reaches: 'organisation',
  input: pluginKeyInput,
  output: pluginKeyOutput,
  run: (service, { client }, caller) =>
    service.access.grants.giveKey(
      caller,
      { permission: caller.permission, tags: null, expiresInDays: YEAR_DAYS },
      client,
    ),
});
