// The package as npm publishes it, installed into an empty folder.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..');
const exec = promisify(execFile);

/** What `npm test` tells its children would make another npm think it is at home here. */
const FOREIGN =
  /^(npm_(?!config_(registry|cache|userconfig)$)|MEMOIR_|CHROMA_|OPENAI_|PORT$|HOST$|NODE_OPTIONS$)/;

const env: NodeJS.ProcessEnv = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN.test(name))),
  // Whichever Node runs the tests is the one that the package is tried with.
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
};

interface Lock {
  packages: Record<string, { dev?: boolean }>;
}

const readLock = (): Lock => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;

/** Packages of this checkout that the published one depends on, directly or not: `zod`, `@scope/name`. */
const shippedPackages = (): string[] =>
  Object.entries(readLock().packages)
    .filter(([path, { dev }]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && dev !== true)
    .map(([path]) => path.slice('node_modules/'.length))
    .filter((name) => existsSync(join(root, 'node_modules', name)));

/** Copies them from this checkout, which is much faster than an installation; nothing that only development needs comes along. */
const copyShipped = (modules: string): void => {
  for (const name of shippedPackages())
    cpSync(realpathSync(join(root, 'node_modules', name)), join(modules, name), { recursive: true });
};

interface Manifest {
  bin: { memoir: string };
  scripts: { postinstall: string };
}

export interface Installed {
  /** The folder that the package was installed into. */
  folder: string;
  /** `node_modules/memoir` in it. */
  home: string;
  memoir(...args: string[]): Promise<{ stdout: string; stderr: string }>;
  serve(...args: string[]): Promise<{ url: string; stop(): Promise<number> }>;
  remove(): void;
}

async function pack(to: string): Promise<string> {
  await exec('npm', ['pack', '--loglevel=error', `--pack-destination=${to}`], { cwd: root, env });
  const file = readdirSync(to).find((name) => name.endsWith('.tgz'));
  if (file === undefined) throw new Error('npm pack has made no package.');
  return file;
}

export async function installPackage(): Promise<Installed> {
  const place = mkdtempSync(join(tmpdir(), 'memoir-package-'));
  const folder = join(place, 'app');
  const modules = join(folder, 'node_modules');
  const home = join(modules, 'memoir');
  copyShipped(modules);
  await exec('tar', ['-xzf', await pack(place)], { cwd: place });
  renameSync(join(place, 'package'), home);
  const { bin, scripts } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as Manifest;
  const command = join(home, bin.memoir);
  mkdirSync(join(modules, '.bin'), { recursive: true });
  chmodSync(command, 0o755);
  symlinkSync(command, join(modules, '.bin', 'memoir'));
  await exec(scripts.postinstall, { cwd: home, env, shell: true });
  return {
    folder,
    home,
    memoir: (...args) => exec(process.execPath, [command, ...args], { cwd: folder, env }),
    async serve(...args) {
      const child = spawn(process.execPath, [command, 'serve', '--json', ...args], {
        cwd: folder,
        env,
        stdio: 'pipe',
      });
      const ended = once(child, 'exit');
      const [said] = (await Promise.race([once(child.stdout, 'data'), ended])) as [unknown];
      const { url } = JSON.parse(String(said)) as { url: string };
      return {
        url,
        async stop() {
          child.kill('SIGTERM');
          const [code] = (await ended) as [number];
          return code;
        },
      };
    },
    remove: () => rmSync(place, { recursive: true, force: true, maxRetries: 3 }),
  };
}
