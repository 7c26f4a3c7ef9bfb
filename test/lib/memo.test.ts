import { expect, test } from 'vitest';
import { createMemo } from '../../server/lib/memo.ts';

const counting = (...limits: Parameters<typeof createMemo<string>>) => {
  const memo = createMemo<string>(...limits);
  const computed: string[] = [];
  const ask = (text: string): string =>
    memo(text, () => {
      computed.push(text);
      return text.toUpperCase();
    });
  return { ask, computed };
};

test('A value is computed once while it is used, and again after two generations without use.', () => {
  const { ask, computed } = counting(2);
  for (const text of ['a', 'b', 'a', 'c', 'a', 'd', 'a', 'e', 'a', 'b'])
    expect(ask(text)).toBe(text.toUpperCase());
  expect(computed).toEqual(['a', 'b', 'c', 'd', 'e', 'b']);
});

test('Entries count by their size where one is given, so that long texts displace more.', () => {
  const { ask, computed } = counting(10, (text) => text.length);
  const long = 'x'.repeat(10);
  for (const text of ['a', 'b', 'c', 'a', 'b', 'c']) ask(text);
  expect(computed).toEqual(['a', 'b', 'c']);
  for (const text of [long, `${long}y`, `${long}z`, 'a']) ask(text);
  expect(computed.slice(3)).toEqual([long, `${long}y`, `${long}z`, 'a']);
});
