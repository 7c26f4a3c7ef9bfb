// The meaning of English words as vectors: words that occur in the same company are near each other ("guitar" and "piano",
// "espresso" and "breakfast"). `scripts/word-meanings.ts` writes the table and names its source.
import { analyse } from '../analyse.ts';
import { rootOf } from '../derivations.ts';
import table from './table.json' with { type: 'json' };

export const MEANING_DIMENSIONS = table.dimensions;

export interface Meaning {
  /** Unit length, times 127. */
  readonly vector: Int8Array;
  /** Between 0 and 1: a frequent word says little about a sentence. */
  readonly weight: number;
}

const MOST = 127;
const MOST_WEIGHT = 255;

const readTable = (): Map<string, Meaning> => {
  const bytes = Buffer.from(table.vectors, 'base64');
  const vectors = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  const weights = Buffer.from(table.weights, 'base64');
  return new Map(
    table.roots.split(' ').map((root, at) => [
      root,
      {
        vector: vectors.subarray(at * MEANING_DIMENSIONS, (at + 1) * MEANING_DIMENSIONS),
        weight: (weights[at] ?? 0) / MOST_WEIGHT,
      },
    ]),
  );
};

let meanings: Map<string, Meaning> | undefined;

/** The meaning of a root (`rootOf`); undefined for a word that the table lacks, as most names and other languages. */
export const meaningOfRoot = (root: string): Meaning | undefined => {
  meanings ??= readTable();
  return meanings.get(root);
};

const cosine = (one: ArrayLike<number>, other: ArrayLike<number>): number => {
  let sum = 0;
  let ones = 0;
  let others = 0;
  for (let at = 0; at < one.length; at++) {
    const first = one[at] ?? 0;
    const second = other[at] ?? 0;
    sum += first * second;
    ones += first * first;
    others += second * second;
  }
  return ones === 0 || others === 0 ? 0 : sum / Math.sqrt(ones * others);
};

/** Adds a meaning to a sum of meanings. */
export const addMeaning = (sum: Float32Array, { vector, weight }: Meaning, times: number): void => {
  const share = (weight * times) / MOST;
  for (let at = 0; at < vector.length; at++) (sum[at] as number) += (vector[at] as number) * share;
};

/** The direction of a text's meaning; null where the table knows none of its words. */
const meaningOfText = (text: string): Float32Array | null => {
  const known = analyse(text).flatMap((term) => meaningOfRoot(rootOf(term)) ?? []);
  if (known.length === 0) return null;
  const sum = new Float32Array(MEANING_DIMENSIONS);
  for (const meaning of known) addMeaning(sum, meaning, 1);
  return sum;
};

/** From -1 to 1: how near two words or phrases are in meaning; null where the table does not know one of them. */
export const likeness = (one: string, other: string): number | null => {
  const first = meaningOfText(one);
  const second = meaningOfText(other);
  return first === null || second === null ? null : cosine(first, second);
};
