// Tests of waiting for room on a full disk.
import { expect, test } from 'vitest';
import { whenRoom } from '../../../server/lib/async/when-room.ts';

const FULL = Object.assign(new Error('database or disk is full'), { errcode: 13 });
const never = new AbortController().signal;

test('a write is repeated until the disk has room for it', async () => {
  let tries = 0;
  const write = async (): Promise<string> => {
    tries += 1;
    if (tries < 4) throw FULL;
    return 'stored';
  };
  expect(await whenRoom(write, never, 1)).toBe('stored');
  expect(tries).toBe(4);
});

test('another error is thrown at once, and that of the full disk when the process stops', async () => {
  await expect(whenRoom(() => Promise.reject(new Error('a bug')), never, 1)).rejects.toThrow('a bug');
  const stopping = new AbortController();
  const waiting = whenRoom(() => Promise.reject(FULL), stopping.signal, 60_000);
  stopping.abort();
  await expect(waiting).rejects.toBe(FULL);
});
