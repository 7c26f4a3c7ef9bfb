import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTogether } from '../../../server/lib/async/together.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const collecting = (mostItems = 3) => {
  const lists: (readonly number[])[] = [];
  return { lists, ...createTogether<number>((items) => lists.push(items), { waitMs: 50, mostItems }) };
};

test('What comes within a moment is handed over as one list, in its order.', () => {
  const { lists, add } = collecting();
  add(1);
  vi.advanceTimersByTime(49);
  add(2);
  expect(lists).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(lists).toEqual([[1, 2]]);
  vi.advanceTimersByTime(500);
  add(3);
  vi.advanceTimersByTime(50);
  expect(lists).toEqual([[1, 2], [3]]);
});

test('A full list is handed over at once, and nothing is handed over twice.', () => {
  const { lists, add } = collecting(2);
  for (const item of [1, 2, 3]) add(item);
  expect(lists).toEqual([[1, 2]]);
  vi.advanceTimersByTime(50);
  expect(lists).toEqual([[1, 2], [3]]);
});

test('A flush hands over what waits, and nothing where nothing waits.', () => {
  const { lists, add, flush } = collecting();
  flush();
  add(1);
  flush();
  flush();
  vi.advanceTimersByTime(500);
  expect(lists).toEqual([[1]]);
});
