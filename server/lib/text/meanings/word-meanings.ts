// The meaning of English words as vectors: words that occur in the same company are near each other ("guitar" and "piano",
// "espresso" and "breakfast"). `scripts/word-meanings.ts` writes the table and names its source.
import { createRequire } from 'node:module';
import { once } from '../../once.ts';
import { analyse } from '../terms/analyse.ts';
import { rootOf } from '../terms/derivations.ts';

export const MEANING_DIMENSIONS = 64;

export interface Meaning {
  /** The place of its vector in the table. */
  readonly start: number;
  /** Between 0 and 1: a frequent word says little about a sentence. */
  readonly weight: number;
}

interface Meanings {
  readonly byRoot: ReadonlyMap<string, Meaning>;
  /** All vectors one after the other, each of unit length times 127: a view for each word would slow sums down. */
  readonly vectors: Int8Array;
}

const MOST = 127;
const MOST_WEIGHT = 255;

/** Three megabytes, loaded on first use. */
const readTable = once((): Meanings => {
  const table = createRequire(import.meta.url)('./table.json') as typeof import('./table.json');
  const bytes = Buffer.from(table.vectors, 'base64');
  const weights = Buffer.from(table.weights, 'base64');
  const rows = table.roots
    .split(' ')
    .map((root, at): [string, Meaning] => [
      root,
      { start: at * MEANING_DIMENSIONS, weight: (weights[at] ?? 0) / MOST_WEIGHT },
    ]);
  return {
    byRoot: new Map(rows),
    vectors: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length),
  };
});

/** The meaning of a root (`rootOf`); undefined for a word that the table lacks, as most names and other languages. */
export const meaningOfRoot = (root: string): Meaning | undefined => readTable().byRoot.get(root);

const product = (one: Float32Array, other: Float32Array): number => {
  let sum = 0;
  for (let at = 0; at < MEANING_DIMENSIONS; at++) sum += (one[at] as number) * (other[at] as number);
  return sum;
};

/** A direction, and the square of its length. */
interface Direction {
  readonly sum: Float32Array;
  readonly square: number;
}

const cosine = (one: Direction, other: Direction): number =>
  one.square === 0 || other.square === 0
    ? 0
    : product(one.sum, other.sum) / Math.sqrt(one.square * other.square);

/** Adds a meaning to a sum of meanings. */
export const addMeaning = (sum: Float32Array, { start, weight }: Meaning, times: number): void => {
  const { vectors } = readTable();
  const share = (weight * times) / MOST;
  for (let at = 0; at < MEANING_DIMENSIONS; at++)
    (sum[at] as number) += (vectors[start + at] as number) * share;
};

/** The direction of the meaning of some roots; null where the table knows none of them. */
const meaningOfRoots = (roots: readonly string[]): Direction | null => {
  let sum: Float32Array | null = null;
  for (const root of roots) {
    const meaning = meaningOfRoot(root);
    if (meaning === undefined) continue;
    sum ??= new Float32Array(MEANING_DIMENSIONS);
    addMeaning(sum, meaning, 1);
  }
  if (sum === null) return null;
  return { sum, square: product(sum, sum) };
};

const meaningOfText = (text: string): Direction | null => meaningOfRoots(analyse(text).map(rootOf));

/** From -1 to 1: how near the roots of two texts are in meaning; 0 if the table knows none of one side. */
export const likenessOfRoots = (one: readonly string[], other: readonly string[]): number => {
  const [first, second] = [meaningOfRoots(one), meaningOfRoots(other)];
  return first === null || second === null ? 0 : cosine(first, second);
};

/** As `likenessOfRoots`, for each of several references, whose meanings are summed up once. */
export const likenessesTo = (
  references: () => readonly (readonly string[])[],
): ((roots: readonly string[]) => number[]) => {
  const meanings = once(() => references().map(meaningOfRoots));
  return (roots) => {
    const own = meaningOfRoots(roots);
    return meanings().map((other) => (own === null || other === null ? 0 : cosine(own, other)));
  };
};

/** The cosine of two meanings: their vectors are of unit length but for rounding. */
const nearness = ({ start: one }: Meaning, { start: other }: Meaning): number => {
  const { vectors } = readTable();
  let sum = 0;
  for (let at = 0; at < MEANING_DIMENSIONS; at++)
    sum += (vectors[one + at] as number) * (vectors[other + at] as number);
  return sum / (MOST * MOST);
};

/** The likeness of the two roots that are nearest to each other, one of each side. */
export const nearestOfRoots = (one: readonly string[], other: readonly string[]): number => {
  const seconds = other.flatMap((root) => meaningOfRoot(root) ?? []);
  let most = 0;
  for (const root of one) {
    const first = meaningOfRoot(root);
    if (first) for (const second of seconds) most = Math.max(most, nearness(first, second));
  }
  return most;
};

/** From -1 to 1: how near a word or phrase is to the nearest of these in meaning; 0 if the table does not know it. */
export const likenessTo = (phrases: readonly string[]): ((text: string) => number) => {
  const references = once(() => phrases.flatMap((phrase) => meaningOfText(phrase) ?? []));
  return (text) => {
    const meaning = meaningOfText(text);
    return meaning === null ? 0 : Math.max(...references().map((reference) => cosine(meaning, reference)));
  };
};
