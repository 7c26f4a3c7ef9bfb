// The published Python packages, with nothing changed but their base URL.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { useOwnMemoir } from '../rest/support/use-memoir.ts';
import { type VerifyContext, verifies } from '../spec/verifies.ts';
import { FLOW_LIMIT, usePython } from './python/use-python.ts';

const DESCRIPTION = join(import.meta.dirname, '../../sdk/openapi.json');
const api = useOwnMemoir();
const run = usePython('tags', api);

const callEveryMethod = async (way: 'sync' | 'async', context: VerifyContext) => {
  const told = await run<{ id: string }>('client', context, { arguments: [way] });
  expect(told).toMatchObject({ refused: 409, connections: 0 });
  const { body } = await api.ask('GET', `/v3/documents/${told.id}`);
  expect(body).toMatchObject({
    customId: `py/${way} cello:1`,
    content: 'Ada plays the viola on Fridays.',
  });
};

describe('the client', () => {
  verifies(
    'client:python:methods',
    'the Python client calls every method outside connections',
    (context) => callEveryMethod('sync', context),
    FLOW_LIMIT,
  );

  verifies(
    'client:python:methods',
    'the asynchronous Python client calls every method outside connections',
    (context) => callEveryMethod('async', context),
    FLOW_LIMIT,
  );

  verifies(
    'client:python:methods',
    'the asynchronous Python client sends many calls at once',
    async (context) => expect(await run('at_once', context)).toEqual({ status: 404, left: 0 }),
    FLOW_LIMIT,
  );

  verifies(
    'client:python:methods',
    'the Python client uploads files',
    async (context) => {
      const told = await run<{ content: string; refused: number }>('uploads', context);
      expect(told).toEqual({ content: expect.stringContaining('behind the orchard'), refused: 400 });
    },
    FLOW_LIMIT,
  );

  verifies(
    ['client:python:methods', 'client:errors:classes'],
    'errors arrive in the Python client as the class of their status',
    async (context) => {
      const MEMOIR_BOUND_KEY = await api.memoir.scopedKey(['py-bound']);
      expect(await run('errors', context, { env: { MEMOIR_BOUND_KEY } })).toEqual({
        statuses: [401, 404, 400, 403, 501],
        forbidden: expect.stringContaining('py-bound'),
        body: { error: expect.stringContaining('content') },
      });
    },
    FLOW_LIMIT,
  );
});

describe('the integrations', () => {
  verifies(
    'client:python:integrations',
    "the tools for OpenAI's function calls work, and the wrapper of its client recalls and stores",
    async (context) => {
      const told = await run('openai_tools', context);
      expect(told).toEqual({ tools: 7, told: expect.stringContaining('Lagos') });
    },
    FLOW_LIMIT,
  );

  verifies(
    'client:python:integrations',
    "the tools, the middleware and the context provider of Microsoft's agent framework recall and store",
    async (context) =>
      expect(await run('agents', context)).toEqual({
        tools: ['search_memories', 'add_memory', 'get_profile'],
        middleware: expect.stringContaining('Lagos'),
        provider: expect.stringContaining('Porto'),
      }),
    FLOW_LIMIT,
  );

  verifies(
    'client:python:integrations',
    'a Pipecat pipeline recalls before the model and stores what was said',
    async (context) => {
      const told = await run<{ given: { content: string }[]; saved: unknown }>('pipecat_voice', context);
      expect(told.given[0]?.content).toContain('Lagos');
      expect(JSON.stringify(told.saved)).toContain('I call it Tern');
    },
    FLOW_LIMIT,
  );

  verifies(
    'client:python:integrations',
    'a Cartesia Line agent gets what is recalled, and what was said is stored',
    async (context) =>
      expect(await run('cartesia_voice', context)).toEqual({
        answers: ['In the harbour.'],
        context: expect.stringContaining('Lagos'),
        saved: expect.stringContaining('I call it Tern'),
        tags: ['py-cartesia', 'py-calls'],
      }),
    FLOW_LIMIT,
  );
});

verifies(
  'client:python:generated',
  'a client generated for Python has all operations, and adds, finds, lists, reads and sends a conversation',
  async (context) => {
    const paths: object[] = Object.values(JSON.parse(readFileSync(DESCRIPTION, 'utf8')).paths);
    expect(await run('generated', context, { arguments: [DESCRIPTION] })).toEqual({
      operations: paths.flatMap((methods) => Object.keys(methods)).length,
      read: 'Cy keeps a kite in Tavira.',
      found: expect.stringContaining('Tavira'),
      listed: 1,
      talk: 'queued',
      missing: [404, expect.stringContaining('no-such-document')],
    });
  },
  FLOW_LIMIT,
);
