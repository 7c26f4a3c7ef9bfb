// The evidence of words for yes or no: a sum of weights, as `scripts/replacing/` and `scripts/worth/` train them.

export interface WordWeights {
  /** Hundredths. */
  readonly bias: number;
  readonly words: Readonly<Record<string, number>>;
}

const HUNDREDTH = 0.01;

export type WordEvidence = (words: Iterable<string>) => number;

export const evidenceBy = ({ bias, words }: WordWeights): WordEvidence => {
  const weights = new Map(Object.entries(words));
  return (found) => {
    let sum = bias;
    for (const word of new Set(found)) sum += weights.get(word) ?? 0;
    return sum * HUNDREDTH;
  };
};
