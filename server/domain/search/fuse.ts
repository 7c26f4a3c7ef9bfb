// What several wordings of one query found, as one list.
import { distinct, type Ranked } from './rank.ts';
import type { Rankable } from './unit.ts';

/** A rewording is a guess at what is meant: it has to match a little better to count as much. */
export const REWORDED = 0.9;

/**
 * Best first, by the wording that each matches best: similarities of different searches can be compared, and a sum of
 * them would favour what is said in the most ways. The first list is that of the query itself.
 */
export function fuse<Unit extends Rankable>([original, ...others]: readonly [
  readonly Ranked<Unit>[],
  ...(readonly Ranked<Unit>[])[],
]): readonly Ranked<Unit>[] {
  if (others.length === 0) return original;
  const best = new Map(original.map((hit) => [hit.unit.n, hit]));
  for (const hit of others.flat()) {
    const similarity = REWORDED * hit.similarity;
    const known = best.get(hit.unit.n);
    if (known === undefined || known.similarity < similarity) best.set(hit.unit.n, { ...hit, similarity });
  }
  return distinct([...best.values()].sort((a, b) => b.similarity - a.similarity || a.unit.n - b.unit.n));
}
