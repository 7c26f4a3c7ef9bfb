// Tests of programs that send their requests and close standard input at once.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newPlace, type Place, run, serve } from '../cli/memoir-process.ts';
import { verifies } from '../spec/verifies.ts';

const LIMIT_MS = 60_000;

let place: Place;
beforeEach(() => {
  place = newPlace();
});
afterEach(() => place.remove());

interface Answered {
  id: number;
  result?: { tools?: { name: string }[]; structuredContent?: Record<string, unknown> };
  error?: { message: string };
}

const info = { capabilities: {}, clientInfo: { name: 'test', version: '1' } };
const initialize = { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', ...info } };
const initialized = { method: 'notifications/initialized' };
const call = (id: number, name: string, args: object) => ({
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

const FOLDER = ['--data-dir', 'data'];

/** Sends all messages, closes standard input at once, and returns the answers. */
const ask = async (
  messages: readonly object[],
  args: readonly string[] = FOLDER,
  end = '\n',
): Promise<{ code: number | null; answers: Answered[]; stderr: string }> => {
  const lines = messages.map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }));
  const { code, stdout, stderr } = await run(['mcp', ...args], {
    cwd: place.cwd,
    input: lines.join('\n') + end,
  });
  const answers = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Answered);
  return { code, stderr, answers: answers.filter(({ id }) => id !== undefined) };
};

verifies(
  'mcp:input:end',
  'a program that only asks who answers gets its answer, and the folder is left alone',
  async () => {
    const { code, answers, stderr } = await ask([initialize]);
    expect(code, stderr).toBe(0);
    expect(answers).toMatchObject([{ id: 1, result: { serverInfo: { name: 'memory' } } }]);
    expect(existsSync(join(place.cwd, 'data'))).toBe(false);
  },
  { timeoutMs: LIMIT_MS },
);

verifies(
  'mcp:input:end',
  'the list of tools and the answer of a call that takes its time arrive after the input was closed',
  async () => {
    const add = call(3, 'add', { content: 'Ada prefers tea.', wait: 20 });
    const asked = await ask([initialize, initialized, { id: 2, method: 'tools/list' }, add]);
    expect(asked.code, asked.stderr).toBe(0);
    const answerTo = (id: number) => asked.answers.find((answer) => answer.id === id)?.result;
    expect(
      answerTo(2)
        ?.tools?.map(({ name }) => name)
        .sort(),
    ).toEqual(['add', 'delete', 'forget', 'profile', 'search']);
    expect(answerTo(3)?.structuredContent).toMatchObject({ status: 'done' });

    const search = call(2, 'search', { query: 'What does Ada prefer?' });
    const again = await ask([initialize, initialized, search]);
    expect(JSON.stringify(again.answers)).toContain('Ada prefers tea');
  },
  { timeoutMs: LIMIT_MS },
);

test(
  'through a server, the answers arrive as well, and so does that of a line without an end',
  async () => {
    const server = await serve(place, FOLDER);
    const asked = await ask([initialize, initialized, call(2, 'profile', {})], FOLDER, '');
    expect(asked.answers.map(({ id }) => id).sort()).toEqual([1, 2]);
    expect(asked.code, asked.stderr).toBe(0);
    await server.stop();
  },
  LIMIT_MS,
);

test(
  'a call that the program cancelled is not waited for',
  async () => {
    const cancelled = { method: 'notifications/cancelled', params: { requestId: 2 } };
    const add = call(2, 'add', { content: 'Ada prefers tea.', wait: 20 });
    const { code, answers } = await ask([initialize, initialized, add, cancelled]);
    expect(answers.map(({ id }) => id)).toEqual([1]);
    expect(code).toBe(0);
  },
  LIMIT_MS,
);

test(
  'a line that is no message is answered with an error and named in one line, and the others are answered',
  async () => {
    const line = (message: object) => JSON.stringify({ jsonrpc: '2.0', ...message });
    const lines = [
      line(initialize),
      '{"jsonrpc":"2.0","id":5,"method":"ping"',
      '',
      '{"id":6,"method":"ping"}',
      line({ id: 7, method: 5 }),
      `[${line({ id: 8, method: 'ping' })}]`,
      line({ id: 9, method: 'ping', params: { long: 'x'.repeat(11 * 1024 * 1024) } }),
      line({ id: 2, method: 'ping' }),
      line({ id: 3, method: 'ping' }),
    ];
    const { code, stdout, stderr } = await run(['mcp', ...FOLDER], {
      cwd: place.cwd,
      input: lines.join('\n'),
    });
    expect(code, stderr).toBe(0);
    const answers = stdout
      .split('\n')
      .filter(Boolean)
      .map((each) => JSON.parse(each));
    const refused = answers.filter(({ error }) => error !== undefined);
    expect(refused.map(({ id, error }) => [id, error.code])).toEqual([
      [null, -32_700],
      [6, -32_600],
      [7, -32_600],
      [null, -32_600],
      [null, -32_600],
    ]);
    expect(JSON.stringify(refused)).toMatch(/not valid JSON.*own.*10 MB/);
    const results = answers.filter(({ result }) => result !== undefined).map(({ id }) => id);
    expect(results.sort()).toEqual([1, 2, 3]);
    expect(stderr.match(/A line was refused/g)).toHaveLength(5);
    expect(stderr).not.toMatch(/^\s+at |Zod/m);
  },
  LIMIT_MS,
);
