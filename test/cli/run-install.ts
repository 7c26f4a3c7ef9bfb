// `memoir mcp install` in this process, with a host that says where it runs.
import { vi } from 'vitest';
import type { Host } from '../../server/cli/host.ts';
import { runCommand } from '../../server/cli/program.ts';
import type { Ended } from './memoir-process.ts';

export const DATA = '/srv/memoir';
const COMMAND = ['/opt/node', '/opt/memoir/bin/memoir.js'] as const;

const hostWith = (more: Partial<Host>): Host => ({
  version: '0.1.0',
  env: {},
  invocation: 'memoir',
  plan: ({ dataDir = DATA }) => ({
    dataDir,
    warnings: [],
    open: () => Promise.reject(new Error('Nothing may be opened here.')),
  }),
  storeMoves: () => {
    throw new Error('Nothing is moved here.');
  },
  isDataFolder: () => true,
  running: () => null,
  serveTools: () => Promise.reject(new Error('Nothing is served here.')),
  command: COMMAND,
  settings: {},
  secretSettings: ['OPENAI_API_KEY'],
  home: '/home/ada',
  platform: 'linux',
  ...more,
});

/** `args` follow `memoir mcp`. */
export const runMcp = async (args: readonly string[], more: Partial<Host>): Promise<Ended> => {
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const written = ({ mock }: typeof stdout) => mock.calls.map(([text]) => String(text)).join('');
  try {
    const code = await runCommand(['mcp', ...args], hostWith(more));
    return { code, stdout: written(stdout), stderr: written(stderr) };
  } finally {
    stdout.mockRestore();
    stderr.mockRestore();
  }
};

export const runInstall = (args: readonly string[], more: Partial<Host>): Promise<Ended> =>
  runMcp(['install', ...args], more);
