// Tests of threads that start at their first call.
import { expect, it } from 'vitest';
import { endOnDemandThreads, onDemandThread } from '../../../server/lib/threads/on-demand-thread.ts';
import { until } from '../../support/until.ts';
import type { NumberedCommands } from './fixtures/numbered-thread.ts';

const FILE = new URL('./fixtures/numbered-thread.ts', import.meta.url);

it('answers all calls by one thread', async () => {
  const thread = onDemandThread<NumberedCommands>(FILE, null);
  const [first, second] = await Promise.all([thread.call('number'), thread.call('number')]);
  expect(second).toBe(first);
  expect(await thread.call('number')).toBe(first);
  await thread.close();
});

it('fails the calls of a thread that ends, and starts another one at the next call', async () => {
  const thread = onDemandThread<NumberedCommands>(FILE, null);
  const first = await thread.call('number');
  await expect(thread.call('end')).rejects.toThrow('The thread ended with code 3.');
  expect(await thread.call('number')).not.toBe(first);
  await thread.close();
});

it('ends after its rest, and starts again at the next call', async () => {
  const thread = onDemandThread<NumberedCommands>(FILE, null, 1);
  const first = await thread.call('number');
  await until('it rested', async () => (await thread.call('number')) !== first);
  await thread.close();
});

it('ends after it has answered the calls under way, because native code must not be cut off', async () => {
  const thread = onDemandThread<NumberedCommands>(FILE, null);
  const first = await thread.call('number');
  const later = thread.call('numberLater');
  await thread.close();
  expect(await later).toBe(first);
});

it('starts another thread for a call that comes while the former one ends', async () => {
  const thread = onDemandThread<NumberedCommands>(FILE, null);
  const later = thread.call('numberLater');
  const closed = thread.close();
  const next = await thread.call('number');
  await closed;
  expect(next).not.toBe(await later);
  await thread.close();
});

it('ends between two steps of a call that nobody waits for any more', async () => {
  const inStep = new Int32Array(new SharedArrayBuffer(8));
  const threads = Array.from({ length: 3 }, () => onDemandThread<NumberedCommands>(FILE, null));
  const stepping = threads.map((thread) => thread.call('step', inStep.buffer));
  const failed = Promise.allSettled(stepping);
  await until('they are at work', async () => Atomics.load(inStep, 0) > 0);
  await endOnDemandThreads();
  expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(Atomics.load(inStep, 0)).toBe(0);
});
