// The entry of the `memoir` command: passes settings, data folder and service to the command line.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isDataFolder, readRun } from './app/data-folder/data-folder.ts';
import type { MemoirOptions } from './app/options.ts';
import type { ServeTools, StoreMoves } from './cli/host.ts';
import { runCommand } from './cli/program.ts';
import { loadConfig, secretSettings, settingNames } from './config/config.ts';
import { VERSION } from './core/version.ts';

const { env } = process;

type Overrides = { dataDir?: string; port?: string; host?: string; role?: string; quiet?: boolean };

/** On a terminal only warnings are logged; a program that collects the log gets everything as JSON. */
const logLevel = (quiet: boolean): NodeJS.ProcessEnv => {
  if (quiet) return { MEMOIR_LOG_LEVEL: 'error' };
  return process.stderr.isTTY ? { MEMOIR_LOG_LEVEL: 'warn' } : {};
};

/** An option overrides the setting of the same name. */
const settingsWith = ({ dataDir, port, host, role, quiet = false }: Overrides): NodeJS.ProcessEnv => ({
  ...logLevel(quiet),
  ...env,
  ...(dataDir === undefined ? {} : { MEMOIR_DATA_DIR: dataDir }),
  ...(port === undefined ? {} : { PORT: port }),
  ...(host === undefined ? {} : { HOST: host }),
  ...(role === undefined ? {} : { MEMOIR_ROLE: role }),
});

const serverPlanFor = (overrides: Overrides) => {
  const config = loadConfig(settingsWith(overrides));
  return {
    dataDir: config.dataDir,
    warnings: config.warnings,
    // Loaded on demand: most commands call a running server and need none of its parts.
    open: async (how?: MemoirOptions) => (await import('./app/open.ts')).openMemoir(config, how),
  };
};

const storeMoves = (overrides: Overrides) => {
  const config = loadConfig(settingsWith(overrides));
  const moving = () => import('./app/moving/migrate-store.ts');
  return {
    move: async (...how: Parameters<StoreMoves['move']>) => (await moving()).migrateStore(config, ...how),
    cancel: async () => (await moving()).cancelStoreMove(config),
  };
};

const isInstalled = import.meta.dirname.includes('node_modules');

/** npx unpacks into a cache that may be cleared, so the stored command calls npx again. */
const isUnpackedByNpx = import.meta.dirname.includes('_npx');
const ROOT = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '..' : '../..');
const command: [string, ...string[]] = isUnpackedByNpx
  ? ['npx', '-y', 'memoir']
  : [process.execPath, join(ROOT, 'bin', 'memoir.js')];

/** The settings of this process alone; `mcp install` does not copy them. */
const PROCESS_SETTINGS = new Set([
  'PORT',
  'HOST',
  'MEMOIR_DATA_DIR',
  'MEMOIR_API_KEY',
  'MEMOIR_LOG_LEVEL',
  'MEMOIR_ROLE',
]);
const settings = Object.fromEntries(
  settingNames.flatMap((name) => {
    const value = env[name];
    return value === undefined || value === '' || PROCESS_SETTINGS.has(name) ? [] : [[name, value]];
  }),
);

const serveTools = async (how: ServeTools): Promise<void> => {
  const [{ serveToolsOverStdio: serve }, { agentOperations }] = await Promise.all([
    import('./mcp/stdio.ts'),
    import('../tools/agents.generated.ts'),
  ]);
  await serve({ ...how, operations: agentOperations, version: VERSION });
};

const host = {
  version: VERSION,
  env,
  invocation: isInstalled ? 'npx memoir' : 'npm run --silent memoir --',
  plan: serverPlanFor,
  storeMoves,
  isDataFolder,
  running: readRun,
  serveTools,
  command,
  settings,
  secretSettings,
  home: homedir(),
  platform: process.platform,
};

/** A reader such as `head` closes the pipe early, which is no failure. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const code = await runCommand(process.argv.slice(2), host);
// Waits only until the output has been written to the pipe.
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
