// Installs the packages that run models into the folder of models. The versions and the hashes of all packages are pinned.
import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathOfRuntime } from '../../lib/models/model-folder.ts';
import { isRuntimeInstalled } from '../../lib/models/runtime.ts';
import { ModelFailure } from './failure.ts';
import manifest from './runtime/package.json' with { type: 'json' };
import lock from './runtime/package-lock.json' with { type: 'json' };

const BY_HAND =
  'Install Node.js with npm, or use --from with a folder that holds the runtime of another machine.';
const LONGEST_QUOTE = 300;

/** npm comes with Node; a window opens for no command. */
const runNpm = (folder: string, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const isWindows = process.platform === 'win32';
    const npm = spawn('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
      ...{ cwd: folder, signal, shell: isWindows, windowsHide: true },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    npm.stderr.on('data', (chunk) => {
      said = (said + String(chunk)).slice(-LONGEST_QUOTE);
    });
    npm.on('error', (cause) => reject(new ModelFailure(`npm could not be started. ${BY_HAND}`, { cause })));
    npm.on('close', (code) => {
      if (code === 0) resolve();
      else
        reject(
          new ModelFailure(`npm could not install the packages that run models: ${said.trim()} ${BY_HAND}`),
        );
    });
  });

/** The package carries its library for every platform; the others take 240 MB. */
const removeOtherPlatforms = (folder: string): void => {
  const bindings = join(folder, 'node_modules', 'onnxruntime-node', 'bin', 'napi-v6');
  if (!existsSync(bindings)) return;
  for (const platform of readdirSync(bindings))
    for (const arch of readdirSync(join(bindings, platform)))
      if (platform !== process.platform || arch !== process.arch)
        rmSync(join(bindings, platform, arch), { recursive: true });
};

const writePackage = (folder: string): void => {
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock, null, 2));
};

const putInPlace = (incoming: string, folder: string): void => {
  if (isRuntimeInstalled(folder)) {
    rmSync(incoming, { recursive: true });
    return;
  }
  const path = pathOfRuntime(folder);
  rmSync(path, { recursive: true, force: true });
  renameSync(incoming, path);
};

/** `from`: a folder with a runtime of another machine, for a machine without internet. */
export const installRuntime = async (
  folder: string,
  from: string | null,
  signal: AbortSignal,
): Promise<void> => {
  if (isRuntimeInstalled(folder)) return;
  const path = pathOfRuntime(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Two processes may install it at the same moment.
  const incoming = mkdtempSync(`${path}.`);
  if (from !== null && isRuntimeInstalled(from)) cpSync(pathOfRuntime(from), incoming, { recursive: true });
  else {
    writePackage(incoming);
    await runNpm(incoming, signal);
    removeOtherPlatforms(incoming);
  }
  putInPlace(incoming, folder);
};
