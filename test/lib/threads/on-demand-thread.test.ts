// Tests of threads that start at their first call.
import { expect, it } from 'vitest';
import { onDemandThread } from '../../../server/lib/threads/on-demand-thread.ts';
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
