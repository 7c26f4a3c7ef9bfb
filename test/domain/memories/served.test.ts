// Tests of the record of texts that callers were given lately.
import { describe, expect, test } from 'vitest';
import { createServed } from '../../../server/domain/memories/served.ts';

const limits = { texts: 3, characters: 100, allCharacters: 2_000 };

describe('a served text', () => {
  test('is known under each of its tags', () => {
    const served = createServed();
    served.note(['a', 'b'], ['one', 'two']);
    served.note(['b'], ['three']);
    expect([...served.under(['a'])].sort()).toEqual(['one', 'two']);
    expect([...served.under(['b'])].sort()).toEqual(['one', 'three', 'two']);
    expect([...served.under(['a', 'c'])].sort()).toEqual(['one', 'two']);
    expect(served.under(['c'])).toEqual([]);
    expect(served.under([])).toEqual([]);
  });

  test('makes room for newer texts, the last of an answer first', () => {
    const served = createServed(limits);
    served.note(['a'], ['best', 'good', 'fair', 'poor']);
    expect([...served.under(['a'])].sort()).toEqual(['best', 'fair', 'good']);
    served.note(['a'], ['best', 'new']);
    expect([...served.under(['a'])].sort()).toEqual(['best', 'good', 'new']);
  });

  test('counts with its length against the limit', () => {
    const served = createServed(limits);
    served.note(['a'], ['x'.repeat(60), 'y'.repeat(60)]);
    expect(served.under(['a'])).toEqual(['x'.repeat(60)]);
  });

  test('is forgotten first under the tag that was idle longest', () => {
    const served = createServed(limits);
    for (let i = 0; i < 20; i++) {
      served.note([`tag ${i}`], ['x'.repeat(50)]);
      served.note(['busy'], ['y'.repeat(50)]);
    }
    expect(served.under(['tag 0'])).toEqual([]);
    expect(served.under(['tag 19'])).toHaveLength(1);
    expect(served.under(['busy'])).toHaveLength(1);
  });

  test('is in the same list until another text is served under its tag', () => {
    const served = createServed();
    served.note(['a'], ['one']);
    const before = served.under(['a']);
    served.note(['b'], ['two']);
    expect(served.under(['a'])).toBe(before);
    served.note(['a'], ['two']);
    expect(served.under(['a'])).not.toBe(before);
    expect(before).toEqual(['one']);
  });
});
