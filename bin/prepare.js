// Runs at the end of `npm install`: builds a checkout, so that it starts as fast as the published package, and fetches the
// Chroma server that an older Linux needs. It never fails an installation: without a build the source runs, and the
// first start fetches what is missing.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileOf, findNode, isBuildCurrent, ROOT } from './node.js';

const node = findNode();

const run = (program, output) => spawnSync(node, [program], { stdio: ['ignore', output, output] });

/** A checkout without the packages of development cannot be built. */
const canBuild = (script) => {
  try {
    return existsSync(script) && createRequire(script).resolve('esbuild') !== '';
  } catch {
    return false;
  }
};

if (node !== null) {
  const build = join(ROOT, 'scripts', 'build.ts');
  if (canBuild(build) && !isBuildCurrent()) run(build, 'ignore');
  const program = fileOf('server/adapters/vectors/chroma/server/prepare');
  if (program !== undefined) run(program, 'inherit');
}
