// Answers of query workers in a form that crosses threads quickly: columns of numbers instead of thousands of objects.
import type { HeldTerm } from '../../../lib/text/terms/terms.ts';
import type { KeywordMatch, KeywordMatches, VectorMatch } from '../ports/search.ts';

/** The numbers of a match: seven fields and the count of its held terms. */
const WIDTH = 8;
/** The numbers of a held term. */
const TERM_WIDTH = 3;

export interface PackedKeywordMatches extends Omit<KeywordMatches, 'matches'> {
  readonly matches: Float64Array;
  readonly held: Int32Array;
}

export const packKeywordMatches = ({ matches, ...rest }: KeywordMatches): PackedKeywordMatches => {
  const numbers = new Float64Array(matches.length * WIDTH);
  const held = new Int32Array(matches.reduce((sum, match) => sum + match.held.length, 0) * TERM_WIDTH);
  let at = 0;
  let heldAt = 0;
  for (const { n, document, position, part, flags, bodyTokens, messageTokens, held: own } of matches) {
    numbers.set([n, document, position, part, flags, bodyTokens, messageTokens, own.length], at);
    at += WIDTH;
    for (const { term, field, frequency } of own) {
      held.set([term, field, frequency], heldAt);
      heldAt += TERM_WIDTH;
    }
  }
  return { ...rest, matches: numbers, held };
};

const unpackHeld = (held: Int32Array, from: number, count: number): HeldTerm[] => {
  const terms: HeldTerm[] = [];
  for (let at = TERM_WIDTH * from; at < TERM_WIDTH * (from + count); at += TERM_WIDTH)
    terms.push({ term: held[at] ?? 0, field: held[at + 1] ?? 0, frequency: held[at + 2] ?? 0 });
  return terms;
};

export const unpackKeywordMatches = (packed: PackedKeywordMatches): KeywordMatches => {
  const { matches: numbers, held, ...rest } = packed;
  const matches: KeywordMatch[] = [];
  let terms = 0;
  for (let at = 0; at < numbers.length; at += WIDTH) {
    const count = numbers[at + 7] ?? 0;
    matches.push({
      n: numbers[at] ?? 0,
      document: numbers[at + 1] ?? 0,
      position: numbers[at + 2] ?? 0,
      part: numbers[at + 3] ?? 0,
      flags: numbers[at + 4] ?? 0,
      bodyTokens: numbers[at + 5] ?? 0,
      messageTokens: numbers[at + 6] ?? 0,
      held: unpackHeld(held, terms, count),
    });
    terms += count;
  }
  return { ...rest, matches };
};

/** Number and cosine in turn. */
export const packVectorMatches = (matches: readonly VectorMatch[]): Float64Array =>
  Float64Array.from(matches.flatMap(({ n, cosine }) => [n, cosine]));

export const unpackVectorMatches = (packed: Float64Array): VectorMatch[] =>
  Array.from({ length: packed.length / 2 }, (_, at) => ({
    n: packed[2 * at] ?? 0,
    cosine: packed[2 * at + 1] ?? 0,
  }));
