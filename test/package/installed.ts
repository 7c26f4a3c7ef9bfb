// The package as npm publishes it, installed into an empty folder.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  packages: Record<string, { dev?: boolean } & Record<string, unknown>>;
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

/**
 * What npm would write for a project that depends on the package alone, at the versions of this checkout:
 * its own install has brought them into npm's cache, so no registry is asked.
 */
function lockFor(dependencies: Record<string, string>): object {
  const { packages } = readJson(join(root, 'package-lock.json')) as Lock;
  const { '': own, ...others } = packages;
  const shipped = Object.entries(others).filter(([, { dev }]) => dev !== true);
  const { devDependencies: _tools, ...memoir } = own ?? {};
  return {
    lockfileVersion: 3,
    packages: {
      '': { dependencies },
      'node_modules/memoir': { ...memoir, resolved: dependencies.memoir },
      ...Object.fromEntries(shipped),
    },
  };
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
  const dependencies = { memoir: `file:../${await pack(place)}` };
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lockFor(dependencies)));
  await exec('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    env,
  });
  const command = join(folder, 'node_modules', '.bin', 'memoir');
  return {
    folder,
    home: join(folder, 'node_modules', 'memoir'),
    memoir: (...args) => exec(command, args, { cwd: folder, env }),
    async serve(...args) {
      const child = spawn(command, ['serve', '--json', ...args], { cwd: folder, env, stdio: 'pipe' });
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
