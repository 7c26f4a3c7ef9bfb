// Tests of the stages through which every call goes.
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Credentials, createInvoke, type Invoke } from '../../server/calls/invoke.ts';
import { QueryEndedError } from '../../server/core/errors.ts';
import type { Called, Events, QueryEnded, TurnedAway } from '../../server/core/events.ts';
import { type Operation, operation } from '../../tools/operation.ts';
import { type Api, startApi } from '../support/api.ts';
import { addNote, brokenNote, failNote } from '../support/notes.ts';
import { thrownBy } from '../support/thrown.ts';

const never = new AbortController().signal;
let api: Api;
let invoke: Invoke;
let called: Called[];
let turnedAway: TurnedAway[];
let broke: unknown[];
let ended: QueryEnded[];

beforeEach(async () => {
  api = await startApi();
  [called, turnedAway, broke, ended] = [[], [], [], []];
  const events: Events = {
    called: (call) => called.push(call),
    turnedAway: (call) => turnedAway.push(call),
    broke: ({ cause }) => broke.push(cause),
    partMissing: ({ cause }) => broke.push(cause),
    storageFailed: () => undefined,
    queryEnded: (call) => ended.push(call),
  };
  invoke = createInvoke({ service: api.service, events });
  return () => api.close(0);
});

const changed = (base: Operation, part: Partial<Operation>): Operation => ({ ...base, ...part });

const credentials = (key: string | null): Credentials => ({
  key,
  address: '::1',
  requestId: 'r1',
  way: 'cli',
});

const stages = (seen: string[]): Operation =>
  operation({
    name: 'test.stages',
    summary: 'Note each stage',
    rest: { method: 'POST', path: '/x', status: 200 },
    permission: 'write',
    reaches: 'tags',
    input: z.object({ tag: z.string() }).transform((input) => {
      seen.push('parse');
      return input;
    }),
    output: z.object({}).transform(() => {
      seen.push('check');
      return {};
    }),
    tags: ({ tag }) => {
      seen.push('tags');
      return [tag];
    },
    run: async () => {
      seen.push('run');
      return {};
    },
  });

describe('a call', () => {
  test('goes through every stage in order', async () => {
    const seen: string[] = [];
    await invoke(stages(seen), { tag: 'a' }, credentials(api.key), never);
    expect(seen).toEqual(['parse', 'tags', 'run', 'check']);
  });

  test('stops at the first stage that refuses it: key, rate, input, scope', async () => {
    const { key } = await api.access.createScopedKey({ tags: ['a'], rateLimitMax: 3 });
    const outcome = async (input: unknown, given: string | null) => {
      const seen: string[] = [];
      const { status } = await thrownBy(() => invoke(stages(seen), input, credentials(given), never));
      return [status, ...seen];
    };
    expect(await outcome({ tag: 1 }, 'wrong')).toEqual([401]);
    expect(await outcome({ tag: 1 }, key)).toEqual([400]);
    expect(await outcome({ tag: 'b' }, key)).toEqual([403, 'parse', 'tags']);
    await invoke(stages([]), { tag: 'a' }, credentials(key), never);
    expect(await outcome({ tag: 1 }, key)).toEqual([429]);
  });

  test('drops fields from its answer that the contract does not name', async () => {
    const grown = changed(addNote, { run: async () => ({ scope: {}, secret: 1 }) });
    expect(await invoke(grown, { text: 'x' }, credentials(api.key), never)).toEqual({ scope: {} });
  });

  test('is recorded for every outcome, with few labels and no content', async () => {
    await invoke(addNote, { text: 'private' }, credentials(api.key), never);
    await thrownBy(() => invoke(addNote, { text: '' }, credentials(api.key), never));
    await thrownBy(() => invoke(failNote, { how: 'conflict' }, credentials(api.key), never));
    await thrownBy(() => invoke(addNote, {}, credentials(null), never));
    expect(called.map(({ operation: name, status }) => [name, status])).toEqual([
      ['notes.add', 201],
      ['notes.add', 400],
      ['notes.fail', 409],
    ]);
    expect(called[0]).toMatchObject({
      way: 'cli',
      requestId: 'r1',
      keyId: expect.any(String),
      ms: expect.any(Number),
    });
    expect(turnedAway).toEqual([{ way: 'cli', requestId: 'r1', status: 401 }]);
    expect(JSON.stringify([called, turnedAway])).not.toContain('private');
  });
});

describe('an internal error', () => {
  test('reaches the caller as a request id, and the log as its cause', async () => {
    const error = await thrownBy(() => invoke(failNote, { how: 'bug' }, credentials(api.key), never));
    expect(error).toMatchObject({ status: 500, details: 'Request id: r1' });
    expect(error.message).not.toContain('secret');
    expect(broke).toEqual([expect.any(TypeError)]);
    expect(error.cause).toBe(broke[0]);
  });

  test('is also an answer outside the contract', async () => {
    const error = await thrownBy(() => invoke(brokenNote, {}, credentials(api.key), never));
    expect(error.status).toBe(500);
    expect(String(broke[0])).toContain('notes.broken returned an answer that does not match its schema');
    expect(called[0]?.status).toBe(500);
  });

  test('is also a store that cannot find the owner of a key', async () => {
    const service = {
      ...api.service,
      access: { ...api.access, authenticate: () => Promise.reject(new Error('disk')) },
    };
    const events = {
      called() {},
      turnedAway() {},
      partMissing() {},
      storageFailed() {},
      queryEnded() {},
      broke: ({ cause }: { cause: unknown }) => broke.push(cause),
    };
    const failing = createInvoke({ service, events });
    expect((await thrownBy(() => failing.admit(credentials(api.key)))).status).toBe(500);
    expect(broke).toHaveLength(1);
  });
});

test('a query that was ended at its deadline is recorded with its caller and its time, and as no failure', async () => {
  const late = changed(failNote, { run: () => Promise.reject(new QueryEndedError(100, 'Too long.')) });
  const { status } = await thrownBy(() => invoke(late, { how: 'x' }, credentials(api.key), never));
  expect(status).toBe(503);
  expect(ended).toEqual([{ ...called[0], operation: 'notes.fail', status: 503, limitMs: 100 }]);
  expect(ended[0]?.keyId).not.toBe('');
  expect(broke).toEqual([]);
});

describe('a caller who goes away', () => {
  test('before the work begins causes no work', async () => {
    const seen: string[] = [];
    const leave = new AbortController();
    leave.abort();
    await expect(invoke(stages(seen), { tag: 'a' }, credentials(api.key), leave.signal)).rejects.toThrow(
      'aborted',
    );
    expect(seen).not.toContain('run');
    expect(called[0]?.status).toBe(499);
    expect(broke).toEqual([]);
  });

  test('does not hide an internal error that resembles a cancellation', async () => {
    const timedOut = changed(failNote, {
      run: () => Promise.reject(new DOMException('The operation was aborted', 'AbortError')),
    });
    expect((await thrownBy(() => invoke(timedOut, { how: 'x' }, credentials(api.key), never))).status).toBe(
      500,
    );
  });
});

test('an input nested deeper than the stack is refused', async () => {
  const tree = z.object({
    get kid() {
      return tree.optional();
    },
  });
  const grow = changed(failNote, { input: tree, run: async () => ({}) });
  let deep: object = {};
  for (let level = 0; level < 50_000; level++) deep = { kid: deep };
  const error = await thrownBy(() => invoke(grow, deep, credentials(api.key), never));
  expect(error).toMatchObject({ status: 400, message: 'Invalid request: the input is nested too deeply' });
});
