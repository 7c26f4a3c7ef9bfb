// Trains weights of words for yes and no: their sum is the evidence of the words alone. Words of one or two texts are left out,
// because they would only remember those texts.
import type { WordWeights } from '../../server/domain/memories/rules/word-weights.ts';

export interface WordCase {
  readonly group: string;
  readonly words: readonly string[];
  readonly isYes: boolean;
  readonly weight: number;
}

const ROUNDS = 12;
const RATE = 0.1;
/** Draws weights towards 0. */
const SHRINKAGE = 0.003;
const FEWEST_GROUPS = 3;
const HUNDRED = 100;
/** Smaller hundredths decide nothing. */
const LEAST_WEIGHT = 4;
/** Another order of the cases in each round: a step and a shift that have no common divisor with most numbers. */
const STEP = 7919;
const SHIFT = 17;

const wordsOfSeveral = (cases: readonly WordCase[]): string[] => {
  const groups = new Map<string, Set<string>>();
  for (const { group, words } of cases)
    for (const word of words) groups.set(word, (groups.get(word) ?? new Set()).add(group));
  return [...groups].filter(([, { size }]) => size >= FEWEST_GROUPS).map(([word]) => word);
};

export const trainWordWeights = (cases: readonly WordCase[]): WordWeights => {
  const places = new Map(wordsOfSeveral(cases).map((word, at) => [word, at + 1]));
  // The first weight counts for every case.
  const encoded = cases.map(({ words }) =>
    Int32Array.from([0, ...new Set(words.flatMap((word) => places.get(word) ?? []))]),
  );
  const weights = new Float64Array(places.size + 1);
  const squares = new Float64Array(places.size + 1).fill(0.01);
  const step = cases.length % STEP === 0 ? STEP + 1 : STEP;
  for (let round = 0; round < ROUNDS; round++)
    for (let taken = 0; taken < cases.length; taken++) {
      const at = (taken * step + round * SHIFT) % cases.length;
      const { isYes, weight } = cases[at] as WordCase;
      const own = encoded[at] as Int32Array;
      let sum = 0;
      for (const place of own) sum += weights[place] as number;
      const slope = weight * (1 / (1 + Math.exp(-sum)) - Number(isYes));
      for (const place of own) {
        const pull = slope + SHRINKAGE * (weights[place] as number);
        (squares[place] as number) += pull * pull;
        (weights[place] as number) -= (RATE * pull) / Math.sqrt(squares[place] as number);
      }
    }
  const hundredths = (place: number): number => Math.round((weights[place] as number) * HUNDRED);
  const entries = [...places].map(([word, place]): [string, number] => [word, hundredths(place)]);
  return {
    bias: hundredths(0),
    words: Object.fromEntries(
      entries.filter(([, weight]) => Math.abs(weight) >= LEAST_WEIGHT).sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  };
};
