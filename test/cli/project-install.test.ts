// `memoir mcp install --project`: settings that are checked in hold no key.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fileHosts } from '../../server/cli/hosts/known.ts';
import { verifies } from '../spec/verifies.ts';
import { newPlace, type Place, run } from './memoir-process.ts';
import { runInstall } from './run-install.ts';

let place: Place;
beforeEach(() => {
  place = newPlace();
  vi.spyOn(process, 'cwd').mockReturnValue(place.cwd);
});
afterEach(() => {
  vi.restoreAllMocks();
  place.remove();
});

const KEY = 'sm_1234567890123456789012_secret';
const REMOTE = ['--url', 'https://memory.example.org'];
const settings = {
  OPENAI_API_KEY: 'sk-secret',
  OPENAI_MODEL: 'small',
  CHROMA_URL: 'http://ada:secret@chroma',
};

const withProject = fileHosts.filter(({ projectFile }) => projectFile !== null);

describe.each(withProject.map((host) => [host.name, host] as const))('%s', (name, host) => {
  const file = () =>
    host.projectFile?.({ home: place.cwd, platform: 'linux', env: {}, project: place.cwd }) ?? '';

  verifies(
    'mcp:project:no-key',
    'the file of a project names the variable of the key and never holds the key',
    async () => {
      const args = [name, '--project', ...REMOTE, '--api-key', KEY];
      const { code, stdout, stderr } = await runInstall(args, { home: place.cwd });
      expect(code, stderr).toBe(0);
      const written = readFileSync(file(), 'utf8');
      expect(written + stdout).not.toContain('secret');
      expect(written).toContain('https://memory.example.org');
      expect(stdout).toMatch(/holds no key.*MEMOIR_API_KEY/);
      expect(written.includes('MEMOIR_API_KEY')).toBe(host.reference !== null);
    },
  );

  verifies(
    'mcp:project:no-key',
    'secret settings of this environment are referred to, and the others are written',
    async () => {
      const { code, stdout } = await runInstall([name, '--project'], { home: place.cwd, settings });
      expect(code).toBe(0);
      const written = readFileSync(file(), 'utf8');
      expect(written + stdout).not.toContain('secret');
      expect(written).toContain('small');
      expect(stdout).toMatch(/OPENAI_API_KEY, CHROMA_URL/);
    },
  );

  test('a key that an earlier version wrote is gone after another install', async () => {
    const old = host.entry({
      command: 'node',
      args: ['memoir.js', 'mcp', ...REMOTE],
      env: { MEMOIR_API_KEY: KEY },
      inherited: [],
    });
    const { openSettingsFile } = await import('../../server/cli/hosts/settings-file.ts');
    openSettingsFile(host, file(), 'memory').put(old);
    expect(readFileSync(file(), 'utf8')).toContain(KEY);
    expect((await runInstall([name, '--project', ...REMOTE], { home: place.cwd })).code).toBe(0);
    expect(readFileSync(file(), 'utf8')).not.toContain(KEY);
  });
});

test('--print shows the entry of a project with what to set, and needs no key', async () => {
  const { code, stdout } = await runInstall(['cursor', '--project', '--print', ...REMOTE], {
    home: place.cwd,
  });
  expect(code).toBe(0);
  expect(stdout).toContain(join(place.cwd, '.cursor', 'mcp.json'));
  expect(stdout).toMatch(/# This file may be checked in/);
  expect(JSON.parse(stdout.slice(stdout.indexOf('{')))).toMatchObject({
    mcpServers: { memory: { env: { MEMOIR_API_KEY: `\${env:MEMOIR_API_KEY}` } } },
  });
});

test('a reference that the program did not replace is named, and no call is made with it', async () => {
  const env = { MEMOIR_API_KEY: `\${MEMOIR_API_KEY}` };
  const { code, stderr } = await run(['mcp', '--url', 'http://127.0.0.1:1'], { ...place, env });
  expect(code).toBe(2);
  expect(stderr).toContain('the name of a variable that the program could not replace');
});
