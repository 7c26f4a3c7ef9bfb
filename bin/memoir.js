#!/usr/bin/env node
// Starts memoir on a Node that is new enough: this one, else the one that the npm package "node" brought along.
// Plain JavaScript that every Node since 14 reads, for it has to run before anyone knows how old this one is.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** From `"node": ">=24.15"` in package.json. */
const [NEEDED] = /\d+\.\d+/.exec(readJson(join(ROOT, 'package.json')).engines.node);

const isNewEnough = (version) => {
  const [major, minor] = version.split('.').map(Number);
  const [neededMajor, neededMinor] = NEEDED.split('.').map(Number);
  return major > neededMajor || (major === neededMajor && minor >= neededMinor);
};

/** In a checkout the source, so that an old build never answers for it; a published package holds only the build. */
const mainFile = () =>
  [join(ROOT, 'server', 'main.ts'), join(ROOT, 'dist', 'server', 'main.js')].find((file) => existsSync(file));

/** The executable of the npm package "node", where it is installed beside this one and new enough. */
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

const fail = (sentence) => {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
};

/** The channel tells the other process when this one is gone, however it died. */
const hand = (node, main) => {
  const child = spawn(node, [main, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, MEMOIR_LAUNCHED: '1' },
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`${node} could not be started: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    for (const each of signals) process.removeAllListeners(each);
    process.kill(process.pid, signal);
  });
};

const main = mainFile();
const node = isNewEnough(process.versions.node) ? process.execPath : bundledNode();
if (main === undefined) {
  fail(`This installation of Memoir is incomplete: ${ROOT} holds no dist/server/main.js. Install it again.`);
} else if (node === null) {
  fail(
    `Memoir needs Node ${NEEDED} or newer, and this is Node ${process.versions.node}. ` +
      'Install a newer one from https://nodejs.org, or put one beside Memoir with "npm install node@24".',
  );
} else if (node === process.execPath) {
  import(pathToFileURL(main).href);
} else {
  hand(node, main);
}
