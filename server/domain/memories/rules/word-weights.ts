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
  const entries = new Map<string, { weight: number; readonly before: Map<string, number> }>();
  for (const [word, weight] of Object.entries(words)) {
    const [first = '', second] = word.split(' ');
    const entry = entries.get(first) ?? { weight: 0, before: new Map<string, number>() };
    entries.set(first, entry);
    if (second === undefined) entry.weight = weight;
    else entry.before.set(second, weight);
  }
  return (found) => {
    let sum = bias;
    for (let at = 0; at < found.length; at++) {
      const [word, next] = [found[at] as string, found[at + 1]];
      const entry = entries.get(word);
      if (entry === undefined) continue;
      // Each word and each pair counts once.
      if (entry.weight !== 0 && found.indexOf(word) === at) sum += entry.weight;
      const weight = next === undefined ? undefined : entry.before.get(next);
      if (weight === undefined) continue;
      if (found.findIndex((one, place) => one === word && found[place + 1] === next) === at) sum += weight;
    }
    return sum * HUNDREDTH;
  };
};
