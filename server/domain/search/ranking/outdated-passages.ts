// Orders passages that state what was replaced: those that stand in for memories come after all of them, and others after the
// memory that replaced it.
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

/** `replacing`: the memories that replaced what a passage states, where it states nothing else. */
export const behindReplacing = (
  hits: readonly SearchHit[],
  replacing: ReadonlyMap<number, readonly number[]>,
): readonly SearchHit[] => {
  if (replacing.size === 0) return hits;
  const ordered = [...hits];
  for (const hit of hits) {
    const by = hit.kind === 'chunk' ? replacing.get(hit.ranked.candidate.n) : undefined;
    const from = ordered.indexOf(hit);
    const to = ordered.findLastIndex(
      ({ kind, ranked }) => kind === 'memory' && by?.includes(ranked.candidate.n) === true,
    );
    const memory = ordered[to];
    if (hit.kind !== 'chunk' || !memory || to < from) continue;
    const similarity = Math.min(hit.ranked.similarity, memory.ranked.similarity);
    ordered.splice(from, 1);
    ordered.splice(to, 0, { ...hit, ranked: { ...hit.ranked, similarity } });
  }
  return ordered;
};
