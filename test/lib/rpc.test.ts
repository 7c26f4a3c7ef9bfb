import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { callsOver, type Handlers, serveCalls } from '../../server/lib/rpc.ts';

const channels: MessageChannel[] = [];
afterEach(() => {
  for (const { port1, port2 } of channels.splice(0)) {
    port1.close();
    port2.close();
  }
});

const connected = (handlers: Handlers) => {
  const channel = new MessageChannel();
  channels.push(channel);
  serveCalls(channel.port2, handlers);
  return callsOver(channel.port1);
};

test('a call gets the answer of its own method with its own arguments', async () => {
  const calls = connected({
    add: async (a: number, b: number) => a + b,
    length: async (bytes: Uint8Array) => bytes.length,
  });
  expect(await calls.call('add', 1, 2)).toBe(3);
  expect(await calls.call('length', new Uint8Array(7))).toBe(7);
});

test('answers find their callers in whatever order they come', async () => {
  const calls = connected({
    after: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms, ms)),
  });
  const asked = [30, 1, 15, 5];
  expect(await Promise.all(asked.map((ms) => calls.call('after', ms)))).toEqual(asked);
});

test('structures, maps and bytes cross as they are', async () => {
  const calls = connected({ echo: async (value: unknown) => value });
  const value = { map: new Map([[1, new Float32Array([0.5])]]), none: null, list: [undefined, 2n] };
  expect(await calls.call('echo', value)).toEqual(value);
});

test('what a method throws reaches the caller with its cause', async () => {
  const calls = connected({
    fail: async () => {
      throw new TypeError('It broke', { cause: new Error('a wire') });
    },
  });
  const error = await calls.call('fail').catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TypeError);
  expect(error).toMatchObject({ message: 'It broke', cause: { message: 'a wire' } });
});

test('a method that is not there is an error and not silence', async () => {
  await expect(connected({}).call('nothing')).rejects.toThrow('no method nothing');
});

test('an answer that cannot cross is an error and not silence', async () => {
  const calls = connected({ give: async () => () => 1, fine: async () => 'fine' });
  await expect(calls.call('give')).rejects.toThrow('cannot cross threads');
  expect(await calls.call('fine')).toBe('fine');
});

test('an error that cannot cross is told in words', async () => {
  const calls = connected({
    fail: async () => {
      throw Object.assign(new Error('It broke'), { cause: { retry: () => undefined } });
    },
  });
  await expect(calls.call('fail')).rejects.toThrow('It broke');
});

test('arguments that cannot cross are refused at once', async () => {
  const calls = connected({ echo: async (value: unknown) => value });
  await expect(calls.call('echo', () => 1)).rejects.toThrow('could not be cloned');
  expect(await calls.call('echo', 1)).toBe(1);
});

test('when the other side is gone everybody who waits is told, and everybody who comes', async () => {
  const calls = connected({ wait: () => new Promise(() => undefined) });
  const waiting = [calls.call('wait'), calls.call('wait')];
  calls.fail(new Error('The thread stopped'));
  for (const each of waiting) await expect(each).rejects.toThrow('The thread stopped');
  await expect(calls.call('wait')).rejects.toThrow('The thread stopped');
});

test('messages of others on the same line are none of its business', async () => {
  const calls = connected({ echo: async (value: unknown) => value });
  const [channel] = channels;
  for (const message of [null, 'text', { event: 'news' }, { id: 1 }]) {
    channel?.port1.postMessage(message);
    channel?.port2.postMessage(message);
  }
  expect(await calls.call('echo', 'still here')).toBe('still here');
});
