// Tests of what a program waits for when it starts the tools.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newPlace, type Place, run } from '../cli/memoir-process.ts';
import { SOURCE_PROGRAM } from '../support/program.ts';

let place: Place;
beforeEach(() => {
  place = newPlace();
});
afterEach(() => place.remove());

/** Writes the address of each module that is loaded to stderr. */
const HOOK = `import { registerHooks } from 'node:module';
import { writeSync } from 'node:fs';
registerHooks({ load(url, context, next) { writeSync(2, 'loaded ' + url + '\\n'); return next(url, context); } });`;

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};

/** Parts that take long to load and that the first answer does not need. */
const HEAVY =
  /\/server\/(app\/open|domain|adapters|http|calls\/invoke)|\/tools\/registry\.generated|\/(kysely|express|jsdom|openai|pino)\//;

test('the first answer needs neither parts of the server nor other commands', {
  timeout: 60_000,
}, async () => {
  const { stdout, stderr } = await run(['mcp', '--data-dir', 'data'], {
    cwd: place.cwd,
    // The build holds many modules in a file.
    program: SOURCE_PROGRAM,
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(HOOK)}` },
    input: `${JSON.stringify(INITIALIZE)}\n`,
  });
  expect(stdout).toContain('"serverInfo"');
  const loaded = stderr.split('\n').filter((line) => line.startsWith('loaded file:'));
  expect(loaded.some((line) => line.endsWith('/server/mcp/server.ts'))).toBe(true);
  expect(loaded.filter((line) => HEAVY.test(line))).toEqual([]);
  const commands = loaded.flatMap((line) => /\/cli\/commands\/(.+)\.ts$/.exec(line)?.[1] ?? []);
  expect(commands.sort()).toEqual(['mcp/install', 'mcp/mcp', 'mcp/uninstall']);
});
