// Runs the published Python packages. They are installed once for each lock, into a folder of the tests.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installedOnce } from '../installed.ts';

const run = promisify(execFile);

const HERE = import.meta.dirname;
/** The versions of the published client that are called differently, each with everything that it needs. */
const LOCKS = {
  tags: join(HERE, 'requirements.txt'),
  namespaces: join(HERE, 'namespaces.txt'),
} as const;
const OLDEST = '3.11';
const INSTALL_MS = 170_000;
const KEPT_OUTPUT = 16 * 1024 * 1024;

export interface Flow {
  name: string;
  env: Record<string, string>;
  arguments?: readonly string[];
  signal: AbortSignal;
}

export interface Python {
  /** Runs a flow of `flows/`; returns the facts that it tells in its last line. */
  flow<Facts>(flow: Flow): Promise<Facts>;
}

/** Python runs here, or the reason why it does not. */
export type Found = { python: Python } | { missing: string };

const isRecent = async (command: string): Promise<boolean> => {
  const [major, minor] = OLDEST.split('.');
  const script = `import sys; sys.exit(sys.version_info < (${major}, ${minor}))`;
  try {
    await run(command, ['-c', script]);
    return true;
  } catch {
    return false;
  }
};

const findCommand = async (): Promise<string | null> => {
  for (const command of ['python3', 'python']) if (await isRecent(command)) return command;
  return null;
};

const install = async (command: string, lock: string, folder: string): Promise<void> => {
  // The lock names everything that is needed, and leaves out some packages that others say they need.
  const exact = ['--no-deps', '--require-hashes', '--only-binary', ':all:', '--requirement', lock];
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-input', '--no-compile'];
  await run(command, ['-m', 'pip', 'install', ...quiet, '--target', folder, ...exact], {
    timeout: INSTALL_MS,
  });
};

/** Nothing but the packages of the lock: `-S` leaves out those of the machine. */
const pythonWith = (command: string, packages: string): Python => ({
  async flow({ name, env, arguments: given = [], signal }) {
    const script = join(HERE, 'flows', `${name}.py`);
    const { stdout } = await run(command, ['-S', script, ...given], {
      env: {
        PATH: process.env.PATH,
        PYTHONPATH: packages,
        PYTHONPYCACHEPREFIX: join(packages, '.pyc'),
        ...env,
      },
      signal,
      maxBuffer: KEPT_OUTPUT,
    });
    return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
  },
});

/** In CI, Python that is present must be able to install the packages; any other machine may be offline. */
export const findPython = async (client: keyof typeof LOCKS): Promise<Found> => {
  const lock = LOCKS[client];
  const command = await findCommand();
  if (command === null) return { missing: `Python ${OLDEST} or later is not installed here.` };
  try {
    const packages = await installedOnce('memoir-test-python', lock, (folder) =>
      install(command, lock, folder),
    );
    return { python: pythonWith(command, packages) };
  } catch (cause) {
    const error = new Error('pip cannot install the Python packages of the tests here.', { cause });
    if (process.env.CI) throw error;
    return { missing: error.message };
  }
};
