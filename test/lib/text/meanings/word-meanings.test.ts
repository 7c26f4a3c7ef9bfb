import { describe, expect, it } from 'vitest';
import { likenessTo, meaningOfRoot } from '../../../../server/lib/text/meanings/word-meanings.ts';

const ALIKE = [
  ['guitar', 'piano'],
  ['red', 'blue'],
  ['Tuesday', 'Thursday'],
  ['vegan', 'vegetarian'],
  ['oat milk', 'soy milk'],
  ['Graz', 'Munich'],
  ['beagle', 'dog'],
] as const;

describe('the meaning of words', () => {
  it.each(ALIKE)('knows that "%s" and "%s" are of one kind', (one, other) => {
    const elsewhere = ALIKE.filter((pair) => pair[0] !== one).map(([, of]) => likenessTo([of])(one));
    const kin = likenessTo([other])(one);
    expect(kin).toBeGreaterThan(0.35);
    expect(elsewhere.filter((nearness) => nearness >= kin)).toEqual([]);
  });

  it('compares with the nearest of several', () => {
    expect(likenessTo(['Munich', 'piano'])('guitar')).toBe(likenessTo(['piano'])('guitar'));
  });

  it('says nothing about words that the table lacks', () => {
    expect(likenessTo(['dog'])('xqzv')).toBe(0);
    expect(meaningOfRoot('xqzv')).toBeUndefined();
  });

  it('gives frequent words little weight', () => {
    const frequent = meaningOfRoot('year')?.weight ?? 1;
    const rare = meaningOfRoot('accordion')?.weight ?? 0;
    expect(frequent).toBeLessThan(0.3);
    expect(rare).toBeGreaterThan(0.9);
  });
});
