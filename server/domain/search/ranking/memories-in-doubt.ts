// A memory that perhaps replaces an earlier one comes before it, wherever a search finds the earlier one.
import type { RecallStore } from '../../../adapters/store/ports/memories/recall.ts';
import type { Scope } from '../../../core/scope.ts';
import { FEW } from './beside-answers.ts';
import { asHighAs, type RankedMemory, type SearchHit } from './fuse-memories-and-passages.ts';
import { aboveThreshold } from './thresholds.ts';

/** The number of an earlier memory, and the one that perhaps replaces it. */
export type Doubts = ReadonlyMap<number, number>;

/** The later memory matches by so much less at the most, in odds. */
const NEARLY_ALIKE = Math.exp(-2);

const saidAt = ({ candidate: { date, memory } }: RankedMemory): number => date ?? memory.createdAt;
const oddsOf = ({ order }: RankedMemory): number => order / (1 - order);

/** The hints between memories that answer nearly alike: a small chance of replacement counts for no more. */
export const nearlyAlike = (memories: readonly RankedMemory[], hints: Doubts): Doubts => {
  if (hints.size === 0) return hints;
  const known = new Map(memories.map((memory) => [memory.candidate.n, memory]));
  return new Map(
    [...hints].filter(([n, by]) => {
      const [earlier, later] = [known.get(n), known.get(by)];
      if (!earlier || !later || saidAt(later) <= saidAt(earlier)) return false;
      return oddsOf(later) >= NEARLY_ALIKE * oddsOf(earlier);
    }),
  );
};

interface Searched {
  readonly memories: readonly RankedMemory[];
  /** The number of memories that were searched. */
  readonly searched: number;
}

/** Doubtful replacements, looked up for the memories that reach the threshold. */
export const readDoubts = async (
  { recall, scope }: { readonly recall: RecallStore; readonly scope: Scope },
  { memories, searched }: Searched,
  lowest: number,
): Promise<Doubts> => {
  const found = aboveThreshold(memories, lowest).map(({ candidate }) => candidate.n);
  const doubts = await recall.inDoubt(scope, found, 'doubts');
  if (searched > FEW) return doubts;
  const hints = await recall.inDoubt(scope, found, 'hints');
  return new Map([...nearlyAlike(memories, hints), ...doubts]);
};

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
