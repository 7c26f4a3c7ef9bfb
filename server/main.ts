// The `memoir` command: gives the command line its settings, its data folder and the way to open the service.
import { runCommand } from './cli/program.ts';
import { loadConfig } from './config.ts';
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

const host = {
  version: VERSION,
  env,
  invocation: isInstalled ? 'npx memoir' : 'npm run --silent memoir --',
  plan,
  isDataFolder,
  running: readRun,
};

/** Whoever reads only the first lines of an answer has closed the pipe: no failure. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const code = await runCommand(process.argv.slice(2), host);
// What was written may still be on its way into a pipe; nothing else is waited for.
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
