// A memory that perhaps replaces an earlier one comes before it, wherever a search finds the earlier one.
import { asHighAs, type RankedMemory, type SearchHit } from './fuse-memories-and-passages.ts';

/** The number of an earlier memory, and the one that perhaps replaces it. */
export type Doubts = ReadonlyMap<number, number>;

/** Each later memory matches as well as the earlier ones that it puts in doubt: it is about the same. */
export const liftLater = (memories: readonly RankedMemory[], doubts: Doubts): readonly RankedMemory[] => {
  if (doubts.size === 0) return memories;
  const earlier = Map.groupBy(
    memories.filter(({ candidate }) => doubts.has(candidate.n)),
    ({ candidate }) => doubts.get(candidate.n),
  );
  return memories
    .map((memory) => asHighAs(memory, earlier.get(memory.candidate.n) ?? []))
    .sort((a, b) => b.order - a.order);
};

/** Moves each later memory to the place of the first hit that it puts in doubt. */
export const laterFirst = (hits: readonly SearchHit[], doubts: Doubts): readonly SearchHit[] => {
  if (doubts.size === 0) return hits;
  const ordered: SearchHit[] = [];
  for (const hit of hits) {
    const { n } = hit.ranked.candidate;
    const place =
      hit.kind === 'memory'
        ? ordered.findIndex(({ kind, ranked }) => kind === 'memory' && doubts.get(ranked.candidate.n) === n)
        : -1;
    ordered.splice(place < 0 ? ordered.length : place, 0, hit);
  }
  return ordered;
};
