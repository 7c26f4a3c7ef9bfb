// Version 5 of the published Python client, with nothing changed but its base URL.
import { expect } from 'vitest';
import { useOwnMemoir } from '../rest/support/use-memoir.ts';
import { type VerifyContext, verifies } from '../spec/verifies.ts';
import { FLOW_LIMIT, usePython } from './python/use-python.ts';

const api = useOwnMemoir();
const run = usePython('namespaces', api);

const callEveryMethod = async (way: 'sync' | 'async', context: VerifyContext) => {
  const MEMOIR_BOUND_KEY = await api.memoir.scopedKey([`py5-${way}-bound`]);
  const given = { env: { MEMOIR_BOUND_KEY }, arguments: [way] };
  const told = await run<{ id: string }>('namespaces', context, given);
  expect(told).toMatchObject({
    connectors: [501, 501, 501, 501, 501],
    errors: [401, 404, 400, 403, 400, 404],
  });
  const { body } = await api.ask('GET', `/v3/documents/${told.id}`);
  expect(body).toMatchObject({
    customId: `cello ${way}: 1`,
    content: 'Ada plays the viola on Fridays.',
    containerTags: [`py5_${way}_ada`],
  });
};

for (const way of ['sync', 'async'] as const)
  verifies(
    ['client:python:namespaces', 'client:errors:classes'],
    `the Python client of version 5 calls every method and gets what it asked for (${way})`,
    (context) => callEveryMethod(way, context),
    FLOW_LIMIT,
  );

verifies(
  'client:python:integrations',
  "version 2 of the integration for Microsoft's agent framework recalls and stores",
  async (context) =>
    expect(await run('namespace_agents', context)).toEqual({
      tools: ['search_memories', 'add_memory', 'get_profile'],
      middleware: expect.stringContaining('Lagos'),
      provider: expect.stringContaining('Porto'),
    }),
  FLOW_LIMIT,
);
