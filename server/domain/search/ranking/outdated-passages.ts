// Orders passages that stand in for memories: one that also states what was replaced comes after the memories.
import type { Outdated } from '../../../adapters/store/ports/memories/recall.ts';
import type { SearchHit } from './fuse-memories-and-passages.ts';

/** Callers sort by the similarity: a passage that moves is no more similar than the memories before it. */
export const outdatedLast = (
  hits: readonly SearchHit[],
  outdated: ReadonlyMap<number, Outdated>,
): readonly SearchHit[] => {
  const isOutdated = ({ kind, ranked }: SearchHit): boolean =>
    kind === 'chunk' && outdated.has(ranked.candidate.n);
  const memories = hits.filter(({ kind }) => kind === 'memory');
  if (memories.length === 0 || !hits.some(isOutdated)) return hits;
  const lowest = Math.min(...memories.map(({ ranked }) => ranked.similarity));
  const last = hits
    .filter(isOutdated)
    .map(
      (hit): SearchHit =>
        hit.kind === 'memory'
          ? hit
          : { ...hit, ranked: { ...hit.ranked, similarity: Math.min(lowest, hit.ranked.similarity) } },
    );
  return [...hits.filter((hit) => !isOutdated(hit)), ...last];
};
