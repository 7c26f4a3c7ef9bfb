import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { isDataFolder, readRun } from '../../server/app/data-folder/data-folder.ts';
import type { Host } from '../../server/cli/host.ts';
import { runCommand } from '../../server/cli/program.ts';
import { type Ended, newPlace, type Place, run } from './memoir-process.ts';

let place: Place;
beforeAll(() => {
  place = newPlace();
  mkdirSync(join(place.cwd, 'folder'));
});
afterAll(() => place.remove());

/** None of these commands gets so far as to open anything. */
const host = (): Host => ({
  version: '0.1.0',
  env: {},
  invocation: 'memoir',
  plan: () => ({
    dataDir: join(place.cwd, '.memoir'),
    warnings: [],
    open: () => Promise.reject(new Error('Nothing may be opened here.')),
  }),
  storeMoves: () => {
    throw new Error('Nothing is moved here.');
  },
  isDataFolder,
  running: readRun,
  serveTools: () => Promise.reject(new Error('Nothing is served here.')),
  command: ['/opt/node', '/opt/memoir/bin/memoir.js'],
  settings: {},
  secretSettings: [],
  home: place.cwd,
  platform: 'linux',
});

/** In this process: what is typed wrongly is told before anything starts. */
async function memoir(...args: string[]): Promise<Ended> {
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const written = ({ mock }: typeof stdout) => mock.calls.map(([text]) => String(text)).join('');
  try {
    const code = await runCommand(args, host());
    return { code, stdout: written(stdout), stderr: written(stderr) };
  } finally {
    stdout.mockRestore();
    stderr.mockRestore();
  }
}

const inPlace = (name: string): string => join(place.cwd, name);

describe('help', () => {
  test.each([
    [['serve']],
    [['add']],
    [['search']],
    [['status']],
    [['keys', 'create']],
    [['keys', 'list']],
    [['keys', 'change']],
    [['keys', 'rotate']],
    [['keys', 'disable']],
    [['grants', 'list']],
    [['grants', 'revoke']],
    [['quotas', 'list']],
    [['quotas', 'set']],
    [['audit', 'list']],
    [['audit', 'verify']],
    [['audit', 'export']],
    [['models', 'list']],
    [['models', 'add']],
    [['models', 'use']],
    [['models', 'remove']],
    [['reindex']],
    [['compact']],
    [['remember']],
    [['retry']],
    [['doctor']],
  ])('of memoir %j has examples, and says that --json is there', async (command) => {
    const { code, stdout, stderr } = await memoir(...command, '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: memoir ${command.join(' ')}`);
    expect(stdout).toContain('--json');
    expect(stdout).toContain(`Examples:\n  memoir ${command.join(' ')}`);
  });

  test('of every command has a sentence that says what it does', async () => {
    const without: string[] = [];
    const look = async (path: readonly string[]): Promise<void> => {
      const { stdout } = await memoir(...path, '--help');
      const [, sentences = ''] = stdout.split('\n\n');
      if (!sentences.endsWith('.')) without.push(path.join(' '));
      const [, list = ''] = stdout.split('Commands:\n');
      for (const [, name = ''] of list.matchAll(/^ {2}([a-z][\w-]*)/gm))
        if (name !== 'help' && name !== 'memoir') await look([...path, name]);
    };
    await look([]);
    expect(without).toEqual([]);
  });

  test('of the whole command lists every subcommand; so does the command alone, with 2', async () => {
    const asked = await memoir('--help');
    expect(asked.code).toBe(0);
    for (const name of [
      'serve',
      'add',
      'search',
      'status',
      'keys',
      'grants',
      'audit',
      'models',
      'reindex',
      'retry',
      'compact',
      'remember',
      'doctor',
    ])
      expect(asked.stdout).toContain(`\n  ${name} `);
    const alone = await memoir();
    expect(alone).toMatchObject({ code: 2, stdout: '' });
    expect(alone.stderr).toContain('Usage: memoir');
  });

  test('the version is that of the package', async () => {
    expect(await run(['--version'], place)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });
});

describe('a command that was typed wrongly ends with 2 and one sentence', () => {
  test.each([
    [['serach', 'tea'], /Unknown command 'serach'.*Did you mean search\?/],
    [['search'], /Missing required argument 'query'/],
    [['search', 'tea', '--limit', '0'], /--limit.*whole number from 1 to 100/],
    [['search', 'tea', '--threshold', '2'], /--threshold.*from 0 to 1/],
    [['search', 'tea', '--mode', 'magic'], /--mode.*hybrid, semantic, keyword/],
    [['search', 'tea', '--filter', 'kind'], /--filter.*key=value/],
    [['serve', '--port', 'http'], /--port.*whole number from 0 to 65535/],
    [['keys', 'create', '--expires', '3'], /Unknown option '--expires'\. See memoir keys create --help\./],
    [['audit', 'list', '--action', 'keys'], /There is no action "keys"\. There are: session, key, grant/],
    [['quotas', 'set', '--searches-per-day', '3'], /Name one of --key <id>, --member <member> and --tag/],
    [
      ['members', 'add', 'ada@example.org', '--role', 'boss'],
      /owner, admin, member\. See memoir members add --help/,
    ],
    [['add', 'missing.md'], /The file missing\.md does not exist.*memoir add -/],
    [['retry', 'id', '--tag', 'tea'], /Name documents or container tags, not both/],
    [['status', '--url', 'http://127.0.0.1:1'], /needs an API key.*--api-key/],
    [['status', '--url', 'localhost'], /localhost is not an http or https address/],
    [['status', '--url', 'http://127.0.0.1:1', '--data-dir', 'x'], /Use one of them/],
  ])('%j', async (args, sentence) => {
    const { code, stdout, stderr } = await memoir(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('and as { error } with --json', async () => {
    const { code, stdout, stderr } = await run(['search', '--json'], place);
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      error: expect.stringContaining("Missing required argument 'query'"),
    });
  });
});

describe('a command that cannot work ends with 1 and one sentence', () => {
  test.each([
    [['search', 'tea'], /\.memoir is not a Memoir data folder.*serve.*--data-dir/],
    [['status', '--url', 'http://127.0.0.1:1', '--api-key', 'k'], /No Memoir server answers at http:\/\/127/],
  ])('%j', async (args, sentence) => {
    const { code, stdout, stderr } = await memoir(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(sentence);
  });

  test('memoir add of a folder without files', async () => {
    const { code, stderr } = await memoir('add', inPlace('folder'));
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /The folder .*folder has no files to add. Hidden files, links and node_modules are skipped/,
    );
  });

  test('memoir add - with what is no text', async () => {
    const { code, stderr } = await run(['add', '-'], { ...place, input: Buffer.from([0x63, 0xe9]) });
    expect(code).toBe(1);
    expect(stderr).toContain('Standard input is not UTF-8 text.');
  });

  test('a wrong setting is named', async () => {
    const { code, stderr } = await run(['serve'], { ...place, env: { PORT: 'http', HOST: 'localhost' } });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'PORT cannot be "http": expected a whole number from 0 to 65535.\n',
    });
  });

  test('none of them leaves a data folder behind', () => {
    expect(readdirSync(place.cwd)).not.toContain('.memoir');
  });
});
