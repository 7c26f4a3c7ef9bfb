// Fuses the results of several wordings of one query into one list.
import type { SearchCandidate } from './candidate.ts';
import { type RankedCandidate, withoutDuplicates } from './rank.ts';

/** A rewording is a guess at what is meant: it has to match a little better to count as much. */
export const REWORDED_WEIGHT = 0.9;

/**
 * Best first, each candidate by the wording that it matches best. Similarities of different searches can be compared, and
 * a sum of them would favour what is said in the most ways. The first list belongs to the query itself.
 */
export const fuseWordings = <Candidate extends SearchCandidate>([original, ...others]: readonly [
  readonly RankedCandidate<Candidate>[],
  ...(readonly RankedCandidate<Candidate>[])[],
]): readonly RankedCandidate<Candidate>[] => {
  if (others.length === 0) return original;
  const best = new Map(original.map((ranked) => [ranked.candidate.n, ranked]));
  for (const ranked of others.flat()) {
    const order = REWORDED_WEIGHT * ranked.order;
    const known = best.get(ranked.candidate.n);
    if (known === undefined || known.order < order)
      best.set(ranked.candidate.n, { ...ranked, order, similarity: REWORDED_WEIGHT * ranked.similarity });
  }
  return withoutDuplicates(
    [...best.values()].sort((a, b) => b.order - a.order || a.candidate.n - b.candidate.n),
  );
};
