// Tests of the stored form of terms and of their hashes.
import { describe, expect, it } from 'vitest';
import { encodeTerms, heldTerms, termHash, wantedTerms } from '../../../../server/lib/text/terms/terms.ts';

const read = (blob: Uint8Array, terms: readonly string[]): [string | undefined, number, number][] =>
  heldTerms(blob, wantedTerms(terms)).map(({ term, field, frequency }) => [terms[term], field, frequency]);

describe('a term blob', () => {
  it('returns each requested term with its field and frequency', () => {
    const blob = encodeTerms({
      body: ['cat', 'sat', 'cat'],
      title: ['cat'],
      head: ['may', '2023'],
      speaker: ['ann'],
      relative: ['2023'],
    });
    expect(read(blob, ['cat', '2023', 'ann', 'dog'])).toEqual([
      ['cat', 0, 2],
      ['cat', 1, 1],
      ['2023', 2, 1],
      ['ann', 3, 1],
      ['2023', 4, 1],
    ]);
  });

  it('takes six bytes for a distinct term of a field', () => {
    expect(encodeTerms({ body: ['a', 'b', 'a'], title: ['a'] })).toHaveLength(18);
    expect(encodeTerms({ body: [] })).toHaveLength(0);
  });

  it('has the same bytes for the same terms, on every machine', () => {
    expect(Buffer.from(encodeTerms({ body: ['cat'], speaker: ['猫'] })).toString('hex')).toBe(
      '1eefd8f00001019f4d2c0301',
    );
  });

  it('counts no further than 255', () => {
    expect(read(encodeTerms({ body: Array<string>(1000).fill('again') }), ['again'])).toEqual([
      ['again', 0, 255],
    ]);
  });

  it('finds exactly the terms that a plain search finds', () => {
    const vocabulary = Array.from({ length: 3000 }, (_, at) => `term${at}`);
    const body = vocabulary.filter((_, at) => at % 3 === 0);
    const asked = vocabulary.filter((_, at) => at % 7 === 0);
    const found = read(encodeTerms({ body }), asked).map(([term]) => term);
    expect(found.toSorted()).toEqual(body.filter((term) => asked.includes(term)).toSorted());
  });

  it('may be a part of a larger buffer', () => {
    const blob = encodeTerms({ body: ['cat'] });
    const larger = new Uint8Array(blob.length + 3);
    larger.set(blob, 3);
    expect(read(larger.subarray(3), ['cat'])).toEqual([['cat', 0, 1]]);
  });

  it('is refused when it is damaged', () => {
    expect(() => read(new Uint8Array(7), ['cat'])).toThrow(/damaged: restore/);
  });
});

describe('a term hash', () => {
  it('is 32 bits, unsigned, and spreads over all of them', () => {
    const hashes = Array.from({ length: 4000 }, (_, at) => termHash(`w${at}`));
    expect(new Set(hashes).size).toBe(4000);
    for (const hash of hashes) expect(hash >>> 0).toBe(hash);
    for (let bit = 0; bit < 32; bit++) {
      const set = hashes.filter((hash) => (hash >>> bit) & 1).length;
      expect(set).toBeGreaterThan(1700);
      expect(set).toBeLessThan(2300);
    }
  });

  it('is found by each of its forms', () => {
    const wanted = wantedTerms(['go', 'dog'], [['went', 'gone'], []]);
    expect(heldTerms(encodeTerms({ body: ['went', 'gone', 'cat'] }), wanted)).toEqual([
      { term: 0, field: 0, frequency: 1 },
      { term: 0, field: 0, frequency: 1 },
    ]);
  });

  it('stays at its first index when a term is requested twice', () => {
    expect([...wantedTerms(['cat', 'dog', 'cat']).indexes.values()]).toEqual([0, 1]);
  });
});
