// Tests of pauses that end with a time or a signal.
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { backgroundPause, pause, whenAllIsHeard } from '../../../server/lib/async/wait.ts';
import { isSettled } from '../../support/until.ts';

test('a pause ends with its time or with its signal, also with a signal that was aborted before', async () => {
  const stop = new AbortController();
  await pause(1, stop.signal);
  const long = pause(60_000, stop.signal);
  expect(await isSettled(long)).toBe(false);
  stop.abort();
  await long;
  await pause(60_000, stop.signal);
});

test('a pause without a signal lasts its time', async () => {
  const before = performance.now();
  await pause(20);
  expect(performance.now() - before).toBeGreaterThan(15);
});

test('a pause in the background ends with its time', async () => {
  const other = pause(60);
  await backgroundPause(1);
  expect(await isSettled(other)).toBe(false);
  await other;
});

test('what was sent before is heard, although another port has messages all the time', async () => {
  const [busy, other] = [new MessageChannel(), new MessageChannel()];
  const heard: string[] = [];
  const { promise, resolve } = Promise.withResolvers<readonly string[]>();
  other.port2.on('message', (message) => heard.push(message));
  busy.port2.on('message', (message) => {
    if (message === 'first') {
      other.port1.postMessage('sent before');
      busy.port1.postMessage('second');
      return;
    }
    heard.push(message);
    void whenAllIsHeard().then(() => resolve([...heard]));
  });
  busy.port1.postMessage('first');
  expect(await promise).toEqual(['second', 'sent before']);
  busy.port1.close();
  other.port1.close();
});
