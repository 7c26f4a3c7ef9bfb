// Finds a Node that is new enough, and the source or the build of Memoir.
// Plain JavaScript that Node 14 and newer can read, because it runs before the version of Node is checked.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** The version in `"node": ">=24.15"` of package.json. */
export const [NEEDED] = /\d+\.\d+/.exec(readJson(join(ROOT, 'package.json')).engines.node);

const isNewEnough = (version) => {
  const [major, minor] = version.split('.').map(Number);
  const [neededMajor, neededMinor] = NEEDED.split('.').map(Number);
  return major > neededMajor || (major === neededMajor && minor >= neededMinor);
};

const isUnchanged = ([path, size, mtimeMs]) => {
  const now = statSync(join(ROOT, path));
  return now.size === size && now.mtimeMs === mtimeMs;
};

/** The build was made from the source as it is now. It loads in a fraction of the time. */
export const isBuildCurrent = () => {
  try {
    return readJson(join(ROOT, 'dist', 'sources.json')).every(isUnchanged);
  } catch {
    // There is no build, or a source that it was made from is gone.
    return false;
  }
};

/** A checkout runs its source where the build is older; a published package holds only the build. */
export const fileOf = (path) => {
  const [source, build] = [join(ROOT, `${path}.ts`), join(ROOT, 'dist', `${path}.js`)];
  const files = isBuildCurrent() ? [build, source] : [source, build];
  return files.find((file) => existsSync(file));
};

/** The executable of the npm package "node", if it is installed and new enough. */
const bundledNode = () => {
  try {
    const manifest = createRequire(import.meta.url).resolve('node/package.json');
    const { version } = readJson(manifest);
    const file = join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return isNewEnough(version) && existsSync(file) ? file : null;
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
};

/** The path of this Node or of the bundled one; null: neither is new enough. */
export const findNode = () => (isNewEnough(process.versions.node) ? process.execPath : bundledNode());
