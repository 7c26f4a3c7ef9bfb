// Tests of calls between threads.
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import {
  type CommandHandlers,
  callsOver,
  type MessageEnd,
  serveCalls,
} from '../../../server/lib/threads/rpc.ts';
import { turns } from '../../support/until.ts';

const channels: MessageChannel[] = [];
afterEach(() => {
  for (const { port1, port2 } of channels.splice(0)) {
    port1.close();
    port2.close();
  }
});

const connected = <Commands extends CommandHandlers>(handlers: Commands) => {
  const channel = new MessageChannel();
  channels.push(channel);
  serveCalls(channel.port2, handlers);
  return callsOver<Commands>(channel.port1);
};

test('a call gets the answer of its own command with its own arguments', async () => {
  const calls = connected({
    add: async (a: number, b: number) => a + b,
    length: async (bytes: Uint8Array) => bytes.length,
  });
  expect(await calls.call('add', 1, 2)).toBe(3);
  expect(await calls.call('length', new Uint8Array(7))).toBe(7);
});

test('each answer reaches its caller, in any order', async () => {
  const calls = connected({
    after: (count: number) => turns(count).then(() => count),
  });
  const asked = [30, 1, 15, 5];
  expect(await Promise.all(asked.map((ms) => calls.call('after', ms)))).toEqual(asked);
});

test('structures, maps and bytes cross unchanged', async () => {
  const calls = connected({ echo: async (value: unknown) => value });
  const value = { map: new Map([[1, new Float32Array([0.5])]]), none: null, list: [undefined, 2n] };
  expect(await calls.call('echo', value)).toEqual(value);
});

test('an error of a command reaches the caller with its cause', async () => {
  const calls = connected({
    fail: async () => {
      throw new TypeError('It broke', { cause: new Error('a wire') });
    },
  });
  const error = await calls.call('fail').catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TypeError);
  expect(error).toMatchObject({ message: 'It broke', cause: { message: 'a wire' } });
});

test('a command that the thread does not have is an error', async () => {
  const older: CommandHandlers = {};
  await expect(connected(older).call('nothing')).rejects.toThrow('no command nothing');
});

test('an answer that cannot be cloned is an error', async () => {
  const calls = connected({ give: async () => () => 1, fine: async () => 'fine' });
  await expect(calls.call('give')).rejects.toThrow('cannot cross threads');
  expect(await calls.call('fine')).toBe('fine');
});

test('an error that cannot be cloned arrives as its message', async () => {
  const calls = connected({
    fail: async () => {
      throw Object.assign(new Error('It broke'), { cause: { retry: () => undefined } });
    },
  });
  await expect(calls.call('fail')).rejects.toThrow('It broke');
});

test('arguments that cannot be cloned are refused at once', async () => {
  const calls = connected({ echo: async (value: unknown) => value });
  await expect(calls.call('echo', () => 1)).rejects.toThrow('could not be cloned');
  expect(await calls.call('echo', 1)).toBe(1);
});

test('calls of one moment are one message there and one back, each with its own answer', async () => {
  const channel = new MessageChannel();
  channels.push(channel);
  const sent: unknown[] = [];
  const watched = (port: MessagePort): MessageEnd => ({
    postMessage(value, transfer) {
      sent.push(value);
      port.postMessage(value, transfer);
    },
    on: (event, listener) => port.on(event, listener),
  });
  const handlers = {
    double: async (n: number) => {
      if (n === 3) throw new Error('no threes');
      return n === 4 ? () => 4 : 2 * n;
    },
  };
  serveCalls(watched(channel.port2), handlers);
  const { call } = callsOver<typeof handlers>(watched(channel.port1), { together: true });
  const outcomes = await Promise.allSettled([1, 2, 3].map((n) => call('double', n)));
  expect(outcomes.map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)))).toEqual([
    2,
    4,
    'Error: no threes',
  ]);
  expect(sent).toHaveLength(2);
  const mixed = await Promise.allSettled([
    call('double', 1),
    call('double', 4),
    call('double', Symbol() as never),
  ]);
  expect(mixed.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
});

test('every waiting call and every later call fails after the other thread is gone', async () => {
  const calls = connected({ wait: () => new Promise(() => undefined) });
  const waiting = [calls.call('wait'), calls.call('wait')];
  calls.fail(new Error('The thread stopped'));
  for (const each of waiting) await expect(each).rejects.toThrow('The thread stopped');
  await expect(calls.call('wait')).rejects.toThrow('The thread stopped');
});

test('messages that are neither calls nor answers are ignored', async () => {
  const calls = connected({ echo: async (value: unknown) => value });
  const [channel] = channels;
  for (const message of [null, 'text', { event: 'news' }, { id: 1 }]) {
    channel?.port1.postMessage(message);
    channel?.port2.postMessage(message);
  }
  expect(await calls.call('echo', 'still here')).toBe('still here');
});
