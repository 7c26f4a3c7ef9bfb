// Tests of the queue in which owners take turns.
import { expect, test } from 'vitest';
import { createTurns } from '../../../server/lib/async/turns.ts';

const anybody = () => true;

const takeAll = (turns: ReturnType<typeof createTurns<string>>): string[] => {
  const taken: string[] = [];
  for (let next = turns.take(anybody); next !== null; next = turns.take(anybody)) taken.push(next.item);
  return taken;
};

test('owners take turns, and each owner keeps its order', () => {
  const turns = createTurns<string>();
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) turns.add(item.charAt(0), item);
  expect(takeAll(turns)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('an owner that may not have a turn keeps its place', () => {
  const turns = createTurns<string>();
  for (const item of ['a1', 'b1']) turns.add(item.charAt(0), item);
  expect(turns.take((owner) => owner !== 'a')).toEqual({ owner: 'b', item: 'b1' });
  expect(turns.take((owner) => owner !== 'a')).toBeNull();
  expect(turns.take(anybody)).toEqual({ owner: 'a', item: 'a1' });
});

test('an item that is taken out has no turn', () => {
  const turns = createTurns<string>();
  const leave = turns.add('a', 'a1');
  turns.add('a', 'a2');
  leave();
  leave();
  expect(takeAll(turns)).toEqual(['a2']);
});

test('everything can be taken out at once', () => {
  const turns = createTurns<string>();
  for (const item of ['a1', 'b1', 'a2']) turns.add(item.charAt(0), item);
  expect(turns.clear().sort()).toEqual(['a1', 'a2', 'b1']);
  expect(takeAll(turns)).toEqual([]);
});
