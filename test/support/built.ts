// The build that a run makes before its first test, and that its threads and processes load: a server starts from it in about
// 60 % of the processor time that the source takes. The tests themselves import the source.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestProject, Vite } from 'vitest/node';

const root = join(import.meta.dirname, '..', '..');
const DIST = String(pathToFileURL(join(root, 'dist', '/')));
const build = (): void => {
  execFileSync(process.execPath, [join(root, 'scripts', 'build.ts')], { stdio: 'inherit' });
};

/** `MEMOIR_TEST_SOURCE=1` leaves it out: stack traces of threads and processes name lines of the source then. */
const isWanted = process.env.MEMOIR_TEST_SOURCE !== '1';

/** Before the first test of the first project, and again before each run of `vitest --watch`. The build of an unchanged source is kept. */
export const setup = (project: TestProject): void => {
  if (!isWanted || process.env.MEMOIR_TEST_BUILT === DIST) return;
  build();
  process.env.MEMOIR_TEST_BUILT = DIST;
  project.onTestsRerun(async () => build());
};

/**
 * Modules find their threads and processes from their address: this gives them the one that they have in the build. The code
 * asks when it runs, because vitest keeps what was transformed for runs with and without a build.
 */
export const addressesInBuild: Vite.Plugin = {
  name: 'addresses in the build',
  enforce: 'pre',
  transform(code, id) {
    const file = id.startsWith(join(root, 'server', '/')) ? id.slice(root.length + 1) : undefined;
    if (file === undefined || !code.includes('import.meta.url')) return;
    const built = 'globalThis.process.env.MEMOIR_TEST_BUILT';
    const address = `(${built} ? ${built} + '${file.replace(/\.ts$/, '.js')}' : import.meta.url)`;
    return { code: code.replaceAll('import.meta.url', address), map: null };
  },
};
