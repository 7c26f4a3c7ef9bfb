// Tests of what the health says of the disk and the database: the fault that was met last.
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { createStoreWatch, createWriteWatch } from '../../server/app/store-watch.ts';

const FULL = Object.assign(new Error('full'), { errcode: 13 });
const DAMAGED = Object.assign(new Error('malformed'), { errcode: 11 });

const open = () => {
  let time = 0;
  const now = () => time++;
  const calls = createStoreWatch(tmpdir(), now);
  const writes = createWriteWatch(now);
  return { calls, writes, fault: () => calls.fault(writes.outcome()) };
};

test('a full disk is over with the next write that is stored, wherever it was met', () => {
  const { calls, writes, fault } = open();
  expect(fault()).toBeNull();
  writes.wrote(FULL);
  expect(fault()).toBe('full');
  writes.wrote(null);
  expect(fault()).toBeNull();
  calls.note(FULL);
  expect(fault()).toBe('full');
  writes.wrote(null);
  expect(fault()).toBeNull();
});

test('a damaged database stays damaged, whether a read or a write met it', () => {
  for (const meet of ['calls', 'writes'] as const) {
    const watched = open();
    if (meet === 'calls') watched.calls.note(DAMAGED);
    else watched.writes.wrote(DAMAGED);
    watched.writes.wrote(null);
    expect(watched.fault()).toBe('damaged');
  }
});

test('other errors are no fault of the disk', () => {
  const { calls, writes, fault } = open();
  calls.note(new Error('Something else.'));
  writes.wrote(new Error('Something else.'));
  expect(fault()).toBeNull();
});
