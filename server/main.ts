// The `memoir` command: gives the command line its settings, its data folder and the way to open the service.
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ServeTools } from './cli/host.ts';
import { runCommand } from './cli/program.ts';
import { loadConfig, settingNames } from './config.ts';
import { isDataFolder, readRun } from './data-folder.ts';
import { VERSION } from './version.ts';

const { env } = process;

type Overrides = { dataDir?: string; port?: string; host?: string; quiet?: boolean };

/** People at a terminal read sentences; whoever collects the log reads lines of JSON. */
const logLevel = (quiet: boolean): NodeJS.ProcessEnv => {
  if (quiet) return { MEMOIR_LOG_LEVEL: 'error' };
  return process.stderr.isTTY ? { MEMOIR_LOG_LEVEL: 'warn' } : {};
};

/** A flag is a setting said louder. */
const settingsWith = ({ dataDir, port, host, quiet = false }: Overrides): NodeJS.ProcessEnv => ({
  ...logLevel(quiet),
  ...env,
  ...(dataDir === undefined ? {} : { MEMOIR_DATA_DIR: dataDir }),
  ...(port === undefined ? {} : { PORT: port }),
  ...(host === undefined ? {} : { HOST: host }),
});

function plan(overrides: Overrides) {
  const config = loadConfig(settingsWith(overrides));
  return {
    dataDir: config.dataDir,
    warnings: config.warnings,
    // Only now: most commands ask a running server and need none of what it is made of.
    open: async (how?: { serving: boolean }) => (await import('./service.ts')).openMemoir(config, how),
  };
}

const isInstalled = import.meta.dirname.includes('node_modules');

/** What npx unpacked is gone some day, so it has to be asked for again each time. */
const isPassing = import.meta.dirname.includes('_npx');
const ROOT = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '..' : '../..');
const command: [string, ...string[]] = isPassing
  ? ['npx', '-y', 'memoir']
  : [process.execPath, join(ROOT, 'bin', 'memoir.js')];

const OWN_TO_A_PROCESS = new Set(['PORT', 'HOST', 'MEMOIR_DATA_DIR', 'MEMOIR_API_KEY', 'MEMOIR_LOG_LEVEL']);
const settings = Object.fromEntries(
  settingNames.flatMap((name) => {
    const value = env[name];
    return value === undefined || value === '' || OWN_TO_A_PROCESS.has(name) ? [] : [[name, value]];
  }),
);

async function serveTools(how: ServeTools): Promise<void> {
  const [{ serveTools: serve }, { operations }] = await Promise.all([
    import('./mcp/stdio.ts'),
    import('../tools/registry.generated.ts'),
  ]);
  await serve({ ...how, operations, version: VERSION });
}

const host = {
  version: VERSION,
  env,
  invocation: isInstalled ? 'npx memoir' : 'npm run --silent memoir --',
  plan,
  isDataFolder,
  running: readRun,
  serveTools,
  command,
  settings,
  home: homedir(),
  platform: process.platform,
};

/** Whoever reads only the first lines of an answer has closed the pipe: no failure. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const code = await runCommand(process.argv.slice(2), host);
// What was written may still be on its way into a pipe; nothing else is waited for.
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
