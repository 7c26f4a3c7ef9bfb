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

/** As `evidenceBy`, of the words in order and of each two that follow each other, without a text for each pair. */
export const evidenceInOrderBy = ({ bias, words }: WordWeights): ((found: readonly string[]) => number) => {
  const singles = new Map<string, number>();
  const pairs = new Map<string, Map<string, number>>();
  for (const [word, weight] of Object.entries(words)) {
    const [first = '', second] = word.split(' ');
    if (second === undefined) singles.set(first, weight);
    else pairs.set(first, (pairs.get(first) ?? new Map<string, number>()).set(second, weight));
  }
  return (found) => {
    let sum = bias;
    for (const [at, word] of found.entries()) {
      if (found.indexOf(word) === at) sum += singles.get(word) ?? 0;
      const next = found[at + 1];
      const weight = next === undefined ? undefined : pairs.get(word)?.get(next);
      // A pair counts once, and few have a weight.
      const isFirst =
        weight !== undefined &&
        found.findIndex((one, place) => one === word && found[place + 1] === next) === at;
      if (isFirst) sum += weight;
    }
    return sum * HUNDREDTH;
  };
};
