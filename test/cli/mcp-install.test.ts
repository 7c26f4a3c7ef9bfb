import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import type { Host } from '../../server/cli/host.ts';
import { newPlace, type Place } from './memoir-process.ts';
import { DATA, runMcp } from './run-install.ts';

let place: Place;
beforeEach(() => {
  place = newPlace();
});
afterEach(() => place.remove());

const memoir = (args: string[], more: Partial<Host> = {}) => runMcp(args, { home: place.cwd, ...more });

const at = (path: string): string => join(place.cwd, path);
const text = (path: string): string => readFileSync(at(path), 'utf8');
const put = (path: string, content: string): void => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), content);
};

const launch = { command: '/opt/node', args: ['/opt/memoir/bin/memoir.js', 'mcp', '--data-dir', DATA] };

const jsonPrograms = [
  ['claude-code', '.claude.json', { mcpServers: { memory: { type: 'stdio', ...launch } } }],
  ['claude-desktop', '.config/Claude/claude_desktop_config.json', { mcpServers: { memory: launch } }],
  ['cursor', '.cursor/mcp.json', { mcpServers: { memory: launch } }],
  ['vscode', '.config/Code/User/mcp.json', { servers: { memory: { type: 'stdio', ...launch } } }],
  ['windsurf', '.codeium/windsurf/mcp_config.json', { mcpServers: { memory: launch } }],
  ['zed', '.config/zed/settings.json', { context_servers: { memory: { source: 'custom', ...launch } } }],
  ['cline', '.cline/data/settings/cline_mcp_settings.json', { mcpServers: { memory: launch } }],
  ['warp', '.warp/.mcp.json', { mcpServers: { memory: launch } }],
  ['gemini-cli', '.gemini/settings.json', { mcpServers: { memory: launch } }],
  [
    'opencode',
    '.config/opencode/opencode.json',
    { mcp: { memory: { type: 'local', command: [launch.command, ...launch.args], enabled: true } } },
  ],
] as const;

describe.each(jsonPrograms)('%s', (program, file, settings) => {
  test('is told how to start the tools, sees it first, and is untold again', async () => {
    const told = await memoir(['install', program]);
    expect(told.code, told.stderr).toBe(0);
    expect(JSON.parse(text(file))).toEqual(settings);
    expect(told.stdout).toContain(at(file));
    expect(told.stdout).toContain('/opt/memoir/bin/memoir.js');
    expect((await memoir(['uninstall', program])).code).toBe(0);
    expect(text(file)).not.toContain('memoir');
  });

  test('keeps everything else that it has', async () => {
    const [key = ''] = Object.keys(settings);
    const before = { theme: 'dark', [key]: { other: { command: 'x' } }, list: [1, 2] };
    put(file, JSON.stringify(before, null, 4));
    await memoir(['install', program]);
    expect(JSON.parse(text(file))).toEqual({
      ...before,
      [key]: { other: { command: 'x' }, ...Object.values(settings)[0] },
    });
    expect(text(file)).toMatch(/^ {4}"theme"/m);
    await memoir(['uninstall', program]);
    expect(JSON.parse(text(file))).toEqual(before);
  });
});

test('Codex keeps its settings in TOML, with every line of others as it was', async () => {
  const before = '# mine\nmodel = "o"\n\n[mcp_servers.other]\ncommand = "x"\n';
  put('.codex/config.toml', before);
  await memoir(['install', 'codex'], { settings: { OPENAI_MODEL: 'small "one"' } });
  expect(text('.codex/config.toml')).toBe(
    `${before}\n[mcp_servers.memory]\ncommand = "/opt/node"\nargs = [ "/opt/memoir/bin/memoir.js", "mcp", "--data-dir", "/srv/memoir" ]\n\n[mcp_servers.memory.env]\nOPENAI_MODEL = "small \\"one\\""\n`,
  );
  await memoir(['install', 'codex', '--tag', 'work']);
  expect(text('.codex/config.toml').match(/mcp_servers\.memory/g)).toHaveLength(1);
  expect(text('.codex/config.toml')).toContain('"--tag", "work"');
  await memoir(['uninstall', 'codex']);
  expect(text('.codex/config.toml')).toBe(before);
});

describe('a settings file that its owner wrote by hand', () => {
  const old = `command = "/opt/node"\nargs = ["/old/memoir.js", "mcp", "--data-dir", "/old"]\n`;

  test('holds one entry after an install, however its TOML table is spelled', async () => {
    put('.codex/config.toml', `[mcp_servers."memory"]\n${old}`);
    expect((await memoir(['install', 'codex'])).code).toBe(0);
    expect(text('.codex/config.toml').match(/memory/g)).toHaveLength(1);
    expect(text('.codex/config.toml')).not.toContain('/old');
  });

  test('keeps a multi-line string that quotes such a table', async () => {
    const before = `notes = """\n[mcp_servers.memory]\ncommand = "mine"\n"""\n`;
    put('.codex/config.toml', before);
    expect((await memoir(['install', 'codex'])).code).toBe(0);
    expect(text('.codex/config.toml').startsWith(before)).toBe(true);
    expect((await memoir(['uninstall', 'codex'])).code).toBe(0);
    expect(text('.codex/config.toml')).toBe(before);
  });

  test('keeps its comments and its trailing commas in JSON', async () => {
    const before = `{\n  // mine\n  "theme": "dark", // at night\n  "context_servers": {\n    "other": { "command": "x" }, // theirs\n  },\n}\n`;
    put('.config/zed/settings.json', before);
    expect((await memoir(['install', 'zed'])).code).toBe(0);
    for (const comment of ['// mine', '// at night', '"x" }, // theirs'])
      expect(text('.config/zed/settings.json')).toContain(comment);
    expect(text('.config/zed/settings.json')).toContain('/opt/memoir/bin/memoir.js');
    expect((await memoir(['uninstall', 'zed'])).code).toBe(0);
    expect(text('.config/zed/settings.json')).toBe(before);
  });
});

test('--print shows the whole entry and changes nothing', async () => {
  const key = 'sm_1234567890123456789012_secret';
  const { code, stdout } = await memoir([
    ...['install', 'cursor', '--print', '--url', 'https://memory.example.org', '--api-key', key],
  ]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout.slice(stdout.indexOf('{')))).toEqual({
    mcpServers: {
      memory: {
        command: '/opt/node',
        args: ['/opt/memoir/bin/memoir.js', 'mcp', '--url', 'https://memory.example.org'],
        env: { MEMOIR_API_KEY: key },
      },
    },
  });
  expect(() => text('.cursor/mcp.json')).toThrow();
});

test('a key is written, but not shown, and only its owner reads the file', async () => {
  const key = 'sm_1234567890123456789012_secret';
  const { stdout } = await memoir([
    'install',
    'cursor',
    '--url',
    'https://memory.example.org',
    '--api-key',
    key,
  ]);
  expect(stdout).not.toContain(key);
  expect(text('.cursor/mcp.json')).toContain(key);
  expect(statSync(at('.cursor/mcp.json')).mode & 0o077).toBe(0);
});

const refusals: [string, string[], string | null, number, RegExp][] = [
  ['a file that is not JSON', ['install', 'zed'], '{\n  mine\n}', 1, /line 2, column 3: .*--print/],
  ['a file that is not JSON, at an uninstall,', ['uninstall', 'zed'], '{', 1, /line 1, column 2: /],
  [
    'another server of that name',
    ['install', 'zed'],
    '{"context_servers":{"memory":{"command":"x"}}}',
    1,
    /Choose another name with --name/,
  ],
  ['an entry that is not there', ['uninstall', 'zed'], null, 1, /nothing to remove/],
  ['an unknown program', ['install', 'emacs'], null, 2, /claude-code/],
  ['a project where there is none', ['install', 'windsurf', '--project'], null, 2, /no project settings/],
  [
    'a program that Memoir writes nothing for, at an uninstall,',
    ['uninstall', 'chatgpt'],
    null,
    2,
    /Memoir writes no settings of ChatGPT.*grants revoke/,
  ],
  [
    'a connector without a public address',
    ['install', 'chatgpt', '--url', 'http://127.0.0.1:6767'],
    null,
    2,
    /public https address/,
  ],
  [
    'a key for a folder in a file that is checked in',
    ['install', 'zed', '--project', '--api-key', 'sm_x'],
    null,
    2,
    /must not hold a key/,
  ],
  ['a server without a key', ['install', 'zed', '--url', 'https://a.example'], null, 2, /needs an API key/],
];
test.each(refusals)('%s is told, and left as it is', async (_what, args, before, code, sentence) => {
  if (before !== null) put('.config/zed/settings.json', before);
  const ended = await memoir(args);
  expect(ended.stderr).toMatch(sentence);
  expect(ended.code).toBe(code);
  if (before !== null) expect(text('.config/zed/settings.json')).toBe(before);
});

test('a secret is not shown, whatever it looks like', async () => {
  const settings = {
    OPENAI_API_KEY: 'plain-secret-words',
    OPENAI_BASE_URL: 'https://ada:pass@models.example',
  };
  const { stdout } = await memoir(['install', 'cursor'], { settings });
  expect(stdout).not.toContain('secret-words');
  expect(stdout).not.toContain('ada:pass');
  expect(text('.cursor/mcp.json')).toContain('plain-secret-words');
  const local = await memoir(['install', 'cursor', '--api-key', 'another-secret-word']);
  expect(local.stdout).not.toContain('secret-word');
});

describe('JSON that is written for OpenCode', () => {
  test('goes into the file with comments when there is one', async () => {
    put('.config/opencode/opencode.jsonc', '{\n  // mine\n}\n');
    await memoir(['install', 'opencode']);
    expect(text('.config/opencode/opencode.jsonc')).toMatch(/\/\/ mine[\s\S]*"type": "local"/);
    expect(() => text('.config/opencode/opencode.json')).toThrow();
  });
});

// --- programs without a file ---------------------------------------------------------------------

const pasted = [
  ['goose', ['    cmd: "/opt/node"', '~/.config/goose/config.yaml']],
  ['jetbrains', ['"command": "/opt/node"', 'Model Context Protocol']],
  ['lm-studio', ['"command": "/opt/node"', 'Edit mcp.json']],
] as const;
test.each(pasted)(
  '%s is shown the entry to paste and the steps, and no file is written',
  async (program, said) => {
    const { code, stdout } = await memoir(['install', program]);
    expect(code).toBe(0);
    for (const part of said) expect(stdout).toContain(part);
    expect(readdirSync(place.cwd)).toEqual([]);
  },
);

test('the lines for Goose are YAML with the whole launch', async () => {
  const { stdout } = await memoir(['install', 'goose', '--name', 'notes'], {
    settings: { OPENAI_MODEL: 'a "b": c' },
  });
  const yaml = parseYaml(stdout.slice(stdout.indexOf('extensions:\n')));
  expect(yaml).toEqual({
    extensions: {
      notes: {
        name: 'notes',
        type: 'stdio',
        enabled: true,
        cmd: launch.command,
        args: launch.args,
        envs: { OPENAI_MODEL: 'a "b": c' },
        timeout: 300,
      },
    },
  });
});

const addresses = [
  [['--url', 'https://memory.example.org'], {}],
  [['--url', 'https://memory.example.org/mcp/'], {}],
  [[], { MEMOIR_BASE_URL: 'https://memory.example.org/' }],
] as const;
test.each(addresses)('ChatGPT gets the address of the tools and the steps: %j %j', async (args, env) => {
  const { code, stdout } = await memoir(['install', 'chatgpt', ...args], { env });
  expect(code).toBe(0);
  expect(stdout).toContain('\n  https://memory.example.org/mcp\n');
  expect(stdout).toMatch(/1\. [\s\S]*2\. [\s\S]*connect page/);
  expect(readdirSync(place.cwd)).toEqual([]);
});
