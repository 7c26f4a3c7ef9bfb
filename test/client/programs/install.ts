// Installs the published programs that tests run as they are.
import { execFile } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installedOnce } from '../installed.ts';

const run = promisify(execFile);

const FILES = ['package.json', 'package-lock.json'];
const INSTALL_MS = 110_000;

/** The folder of the installed packages. A test fails if they cannot be installed. */
export const installPrograms = async (): Promise<string> => {
  const lock = join(import.meta.dirname, 'package-lock.json');
  const folder = await installedOnce('memoir-test-programs', lock, async (incoming) => {
    for (const file of FILES) copyFileSync(join(import.meta.dirname, file), join(incoming, file));
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await run('npm', ['ci', ...quiet], {
      cwd: incoming,
      timeout: INSTALL_MS,
      shell: process.platform === 'win32',
    });
  });
  return join(folder, 'node_modules');
};
