// Tests of programs that use the tools over one data folder.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { answerOf, newPlace, type Place, serve } from '../cli/memoir-process.ts';
import { PROGRAM } from '../support/program.ts';
import { type Generation, openAgent, type TestAgent } from './support/agents.ts';

const LIMIT_MS = 60_000;

const places: Place[] = [];
const agents: TestAgent[] = [];
afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.close().catch(() => undefined)));
  for (const place of places.splice(0)) place.remove();
});

const place = (): Place => {
  const made = newPlace();
  places.push(made);
  return made;
};

const open = async (generation: Generation, { cwd }: Place): Promise<TestAgent> => {
  const agent = await openAgent(generation, { args: ['--data-dir', join(cwd, 'data')], cwd });
  agents.push(agent);
  return agent;
};

const numbers = Array.from({ length: 20 }, (_, at) => at);

test(
  'two programs share one folder: 40 adds at once are all found, and one goes on when the other ends',
  async () => {
    const here = place();
    const [first, second] = await Promise.all([open('2026', here), open('2025', here)]);
    const add = (agent: TestAgent, who: string) =>
      numbers.map((at) =>
        agent.call('add', {
          content: `The code of ${who} number ${at} is ${who}-${at}.`,
          customId: `${who}-${at}`,
          wait: 20,
        }),
      );
    const added = await Promise.all([...add(first, 'red'), ...add(second, 'blue')]);
    expect(added.filter(({ isError }) => isError)).toEqual([]);
    expect(new Set(added.map(({ data }) => data.id)).size).toBe(40);

    const found = await Promise.all(
      ['red', 'blue'].flatMap((who) =>
        numbers.map(async (at) => {
          const agent = who === 'red' ? second : first;
          return (await agent.read(`memory://documents/${who}-${at}`)).includes(`is ${who}-${at}.`);
        }),
      ),
    );
    expect(found.filter(Boolean)).toHaveLength(40);

    await first.close();
    const after = await second.call('search', { query: 'the code of red number 7' });
    expect(after.text).toContain('red-7');
    expect((await second.call('add', { content: 'Still here.', wait: 20 })).data.status).toBe('done');
  },
  LIMIT_MS,
);

test(
  'a program goes through the server that holds the folder, and opens the folder itself after that server has ended',
  async () => {
    const here = place();
    const dir = ['--data-dir', 'data'];
    const server = await serve(here, dir);
    const agent = await open('2026', here);
    const { data } = await agent.call('add', { content: 'Ada prefers tea.', wait: 20 });
    const listed = await answerOf<{ results: unknown[] }>(['search', 'tea', ...dir], here);
    expect(listed.results.length).toBeGreaterThan(0);
    await server.stop();
    expect(await agent.read(`memory://documents/${String(data.id)}`)).toContain('Ada prefers tea.');
  },
  LIMIT_MS,
);

test(
  'a program writes nothing but JSON to standard output, and ends when its input does',
  async () => {
    const { cwd } = place();
    const child = spawn(process.execPath, [PROGRAM, 'mcp', '--data-dir', 'data'], { cwd, stdio: 'pipe' });
    const written = text(child.stdout);
    const send = (message: object) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const info = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } };
    send({ id: 1, method: 'initialize', params: info });
    send({ method: 'notifications/initialized' });
    const answered = new Promise<void>((resolve) => {
      child.stdout.on('data', (part: Buffer) => part.includes('"id":2') && resolve());
    });
    const add = { name: 'add', arguments: { content: 'Ada prefers tea.', wait: 20 } };
    send({ id: 2, method: 'tools/call', params: add });
    await answered;
    child.stdin.end();
    const [code] = await new Promise<[number | null]>((resolve) =>
      child.once('close', (ended) => resolve([ended])),
    );
    expect(code).toBe(0);
    const lines = (await written).trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { jsonrpc: string }).jsonrpc)).toEqual(
      lines.map(() => '2.0'),
    );
  },
  LIMIT_MS,
);

test('a program ends with a sentence when the server refuses the key', async () => {
  const here = place();
  const server = await serve(here);
  const child = spawn(process.execPath, [PROGRAM, 'mcp', '--url', server.url, '--api-key', 'sm_wrong'], here);
  const [said, written] = [text(child.stderr), text(child.stdout)];
  child.stdin.write(
    `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } } })}\n`,
  );
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code).toBe(1);
  expect(await said).toMatch(/key/i);
  await written;
  await server.stop();
});
