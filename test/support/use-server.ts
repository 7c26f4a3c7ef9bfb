// One whole Memoir for all test files of a worker that need nothing but container tags of their own.
import { test } from 'vitest';
import { startMemoir, type TestMemoir } from './memoir.ts';

/** Started for the first file that uses it, closed when the worker ends. */
// biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures are needed
const shared = test.extend('memoir', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const memoir = await startMemoir();
  onCleanup(() => memoir.close());
  return memoir;
});

/** Files that need settings, restarts or counts over everything start a server of their own: `projects.ts` lists them. */
export const useServer = (): TestMemoir => {
  let running: TestMemoir | undefined;
  shared.beforeAll(({ memoir }) => {
    running = memoir;
  });
  const server = (): TestMemoir => {
    if (!running) throw new Error('Memoir runs inside tests only.');
    return running;
  };
  return new Proxy({} as TestMemoir, {
    get: (_, name) => Reflect.get(server(), name),
    ownKeys: () => Reflect.ownKeys(server()),
    getOwnPropertyDescriptor: (_, name) => ({
      configurable: true,
      enumerable: true,
      value: Reflect.get(server(), name),
    }),
  });
};
