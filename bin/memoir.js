#!/usr/bin/env node
// Starts memoir on a Node that is new enough: this one, or the one in the npm package "node".
import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { keepCompiled } from './compile-cache.js';
import { fileOf, findNode, NEEDED, ROOT } from './node.js';
import { onNpmEnd } from './npm-parent.js';

/** Shells report this code for a process that SIGTERM ended. */
const SIGTERM_CODE = 143;

const fail = (sentence) => {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
};

/** The IPC channel closes when this process ends, even after a crash; the child then ends as well. */
const runOn = (node, main) => {
  const child = spawn(node, [main, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, MEMOIR_LAUNCHED: '1' },
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  onNpmEnd(() => child.kill('SIGTERM'));
  child.on('error', (error) => fail(`${node} could not be started: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    for (const each of signals) process.removeAllListeners(each);
    process.kill(process.pid, signal);
  });
};

keepCompiled();
const main = fileOf('server/main');
const node = findNode();
if (main === undefined) {
  fail(`This installation of Memoir is incomplete: ${ROOT} holds no dist/server/main.js. Install it again.`);
} else if (node === null) {
  fail(
    `Memoir needs Node ${NEEDED} or newer, and this is Node ${process.versions.node}. ` +
      'Install a newer Node from https://nodejs.org, or run "npm install node@24" in the folder of Memoir.',
  );
} else if (node === process.execPath) {
  // A command that handles no signal ends at once, as the signal itself would end it.
  onNpmEnd(() => process.emit('SIGTERM', 'SIGTERM') || process.exit(SIGTERM_CODE));
  import(pathToFileURL(main).href);
} else {
  runOn(node, main);
}
