// Tests of lowering the priority of a thread or a process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { letProcessStepAside } from '../../../server/lib/threads/lower-priority.ts';

const MODULE = new URL('../../../server/lib/threads/lower-priority.ts', import.meta.url).href;

/** In a thread of its own: its priorities before and after. */
const priorities = (): Promise<{ before: number; after: number; troubles: number }> => {
  const script = `
    const { readlinkSync } = require('node:fs');
    const { getPriority } = require('node:os');
    const { parentPort } = require('node:worker_threads');
    import('${MODULE}').then(({ stepAside }) => {
      const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
      const before = getPriority(thread);
      let troubles = 0;
      stepAside(() => { troubles += 1; });
      parentPort.postMessage({ before, after: getPriority(thread), troubles });
    });`;
  return new Promise((resolve, reject) => {
    const worker = new Worker(script, { eval: true });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
};

test.skipIf(process.platform !== 'linux')(
  'a thread with a lower priority lets the others of its process go first',
  async () => {
    const others = getPriority();
    const { before, after, troubles } = await priorities();
    expect([before, troubles]).toEqual([others, 0]);
    expect(after).toBe(Math.min(19, before + 5));
    expect(getPriority()).toBe(others);
  },
);

test('a process with a lower priority lets this one go first; one that never began is no error', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const gone = once(child, 'close');
  try {
    const { pid = 0 } = child;
    const before = getPriority(pid);
    letProcessStepAside(child);
    expect(getPriority(pid)).toBeGreaterThan(before);
    expect(getPriority()).toBe(before);
  } finally {
    child.kill();
    await gone;
  }
  letProcessStepAside({ pid: undefined });
  letProcessStepAside(child);
});
