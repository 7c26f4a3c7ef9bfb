// Tests of returning the memory of an idle thread to the system.
import { execFile } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { cachedDataVersionTag } from 'node:v8';
import { expect, test, vi } from 'vitest';
import { setHeapOptions } from '../../../server/lib/threads/heap-options.ts';
import { giveBackAtRest, releaseAtRest } from '../../../server/lib/threads/return-memory.ts';
import { timePasses } from '../../support/until.ts';

const run = promisify(execFile);
const MODULE = new URL('../../../server/lib/threads/return-memory.ts', import.meta.url).href;

/** In a process of its own: what is collected is a whole thread's. */
const LEAVE_GARBAGE = `
  const { giveBackAtRest } = await import('${MODULE}');
  const heldMb = () => (process.memoryUsage().heapTotal + process.memoryUsage().external) / 2 ** 20;
  giveBackAtRest({ lookMs: 100 });
  let kept = [];
  for (let i = 0; i < 600_000; i++) kept.push({ i, text: 'text ' + i });
  kept = [];
  const before = heldMb();
  setTimeout(() => console.log(before - heldMb()), 1_000);`;

test('an idle thread returns its garbage to the system', async () => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', LEAVE_GARBAGE]);
  expect(Number(stdout)).toBeGreaterThan(40);
});

test('a busy thread keeps its memory until it is idle', async () => {
  const collect = vi.fn();
  const looking = giveBackAtRest({ collect, lookMs: 200 });
  const working = setInterval(() => {
    const end = performance.now() + 5;
    while (performance.now() < end);
  }, 10);
  await timePasses(1_000, 'five looks find it busy');
  expect(collect).not.toHaveBeenCalled();
  clearInterval(working);
  await vi.waitFor(() => expect(collect).toHaveBeenCalled(), 10_000);
  clearInterval(looking);
});

test('a thread that is a little busy returns much garbage, and keeps a little', async () => {
  const collect = vi.fn();
  const memory = vi.spyOn(process, 'memoryUsage');
  const holds = (heapTotal: number) =>
    memory.mockReturnValue({ heapTotal, external: 0 } as NodeJS.MemoryUsage);
  const looks = vi.spyOn(performance, 'eventLoopUtilization');
  looks.mockReturnValue({ idle: 95, active: 5, utilization: 0.05 });
  holds(40 * 2 ** 20);
  const looking = giveBackAtRest({ collect, lookMs: 20 });
  await vi.waitFor(() => expect(looks.mock.calls.length).toBeGreaterThan(10), 10_000);
  expect(collect).not.toHaveBeenCalled();
  holds(80 * 2 ** 20);
  await vi.waitFor(() => expect(collect).toHaveBeenCalled(), 10_000);
  clearInterval(looking);
  vi.restoreAllMocks();
});

test('a thread that begins to return memory leaves compiled what the others compiled', () => {
  setHeapOptions();
  const compiled = cachedDataVersionTag();
  clearInterval(giveBackAtRest());
  expect(cachedDataVersionTag()).toBe(compiled);
});

test('a thread for which nobody waits gives back while it is a little busy', async () => {
  const collect = vi.fn();
  const looking = giveBackAtRest({ busyAtMost: 0.9, collect, lookMs: 200 });
  const working = setInterval(() => {
    const end = performance.now() + 3;
    while (performance.now() < end);
  }, 10);
  await vi.waitFor(() => expect(collect).toHaveBeenCalled(), 10_000);
  clearInterval(working);
  clearInterval(looking);
});

test('a thread releases its other caches once, when it rests after work', async () => {
  const collect = vi.fn();
  const { promise: released, resolve } = Promise.withResolvers<void>();
  const release = vi.fn(resolve);
  const forget = releaseAtRest(release);
  // At rest at every look, whatever else this thread does.
  const looking = giveBackAtRest({ busyAtMost: 1, collect, lookMs: 200 });
  await released;
  await timePasses(1_000, 'later looks find it at rest');
  expect(release).toHaveBeenCalledTimes(1);
  forget();
  clearInterval(looking);
});
