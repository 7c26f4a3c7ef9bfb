// Tests of the tools with the official inspector.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROGRAM } from '../support/program.ts';
import { useServer } from '../support/use-server.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const INSPECTOR = join(
  ROOT,
  ...['node_modules', '@modelcontextprotocol', 'inspector', 'clients', 'launcher', 'build', 'index.js'],
);
const LIMIT_MS = 90_000;

const memoir = useServer();

interface Ended {
  /** 5: the tool refused; 6: a schema that strict programs do not take. */
  code: number;
  said: string;
}

const inspect = (args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { ...process.env, MCP_INSPECTOR_SECRET_STORE: 'memory' };
    execFile(
      process.execPath,
      [INSPECTOR, '--cli', ...args],
      { env, cwd: memoir.dir, timeout: LIMIT_MS },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), said: stdout + stderr }),
    );
  });

const reach = {
  http: () => [`${memoir.url}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${memoir.key}`],
  stdio: () => [process.execPath, PROGRAM, 'mcp', '--url', memoir.url, '--api-key', memoir.key],
};

type Era = 'modern' | 'legacy';

const askOver =
  (way: keyof typeof reach, era: Era) =>
  (...args: string[]) =>
    inspect([...reach[way](), '--protocol-era', era, '--format', 'json', ...args]);

const callOver = (way: keyof typeof reach, era: Era) => {
  const ask = askOver(way, era);
  return (name: string, args: object) =>
    ask('--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args));
};

const ways = (['modern', 'legacy'] as const).flatMap((era) =>
  (['http', 'stdio'] as const).map((way) => ({ era, way })),
);

describe.each(ways)('the official inspector, $era over $way', ({ era, way }) => {
  const ask = askOver(way, era);
  const call = callOver(way, era);

  test(
    'lists the tools, and strict programs take every schema',
    async () => {
      const { code, said } = await ask('--method', 'tools/list', '--strict');
      expect(code, said).toBe(0);
      for (const name of ['add', 'search', 'profile', 'forget', 'delete'])
        expect(said).toContain(`"name":"${name}"`);
    },
    LIMIT_MS,
  );

  test(
    'calls a tool',
    async () => {
      const { code, said } = await call('search', { query: 'tea' });
      expect(code, said).toBe(0);
    },
    LIMIT_MS,
  );
});

// Each call starts the inspector, so every tool is called in one way only.
test(
  'the official inspector calls every tool, and distinguishes a refusal from an answer',
  async () => {
    const call = callOver('stdio', 'modern');
    const customId = 'inspected';
    const added = await call('add', { content: `${customId} likes tea.`, customId, wait: 20 });
    expect(added, added.said).toMatchObject({ code: 0, said: expect.stringContaining('done') });
    const [found, profile, forgotten] = await Promise.all([
      call('search', { query: customId }),
      call('profile', {}),
      call('forget', { query: customId, dryRun: true }),
    ]);
    expect(found.said.toLowerCase()).toContain(customId);
    for (const ended of [found, profile, forgotten]) expect(ended.code, ended.said).toBe(0);
    expect((await call('delete', { id: customId })).code).toBe(0);
    expect((await call('delete', { id: customId })).code).toBe(5);
  },
  LIMIT_MS,
);
