// In a process of its own: what is collected is the whole thread's.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const MODULE = new URL('../../server/lib/give-back.ts', import.meta.url).href;
const LOOK_MS = 100;
const REST_MS = 1_000;

/** Leaves garbage, then does `meanwhile` every 5 ms for a while; how much less the process holds after that. */
const givenBackMb = async (meanwhile: string): Promise<number> => {
  const script = `
    const { giveBackAtRest } = await import('${MODULE}');
    const heldMb = () => (process.memoryUsage().heapTotal + process.memoryUsage().external) / 2 ** 20;
    giveBackAtRest(${LOOK_MS});
    let kept = [];
    for (let i = 0; i < 600_000; i++) kept.push({ i, text: 'text ' + i });
    kept = [];
    const before = heldMb();
    const every = setInterval(() => { ${meanwhile} }, 5);
    setTimeout(() => { clearInterval(every); console.log(before - heldMb()); }, ${REST_MS});`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
  return Number(stdout);
};

test('a thread that rests gives its garbage back to the system', async () => {
  expect(await givenBackMb('')).toBeGreaterThan(40);
});

test('a busy one is left alone', async () => {
  const busy = 'const end = performance.now() + 3; while (performance.now() < end);';
  expect(await givenBackMb(busy)).toBeLessThan(1);
});
