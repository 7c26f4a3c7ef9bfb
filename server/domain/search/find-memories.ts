// Finds memories for other parts of the service, as records.
import type { MemoryDetail } from '../../adapters/store/ports/memories/memories.ts';
import { findCandidates, startQuery } from './find-candidates.ts';
import { memoryTarget } from './memory-search-targets.ts';
import { restrictionToMemories } from './query/restriction.ts';
import { aboveThreshold } from './ranking/thresholds.ts';
import type { SearchContext } from './search-context.ts';

export interface MemoryQuery {
  q: string;
  /** Only memories that carry all of these tags. */
  tags: readonly string[];
  threshold: number;
  limit: number;
  /** Forgotten and expired memories too. */
  forgotten: boolean;
}

export interface FoundMemory {
  record: MemoryDetail;
  similarity: number;
  /** Without the leniency among few memories. */
  sure: number;
}

export const findMemories = async (
  context: SearchContext,
  { q, tags, threshold, limit, forgotten }: MemoryQuery,
): Promise<FoundMemory[]> => {
  const restriction = restrictionToMemories({ allTags: tags }, forgotten);
  const target = memoryTarget(context, restriction, limit);
  const ranked = await findCandidates(startQuery(context, q, 'both'), target);
  const best = aboveThreshold(ranked, threshold).slice(0, limit);
  const ns = best.map(({ candidate }) => candidate.n);
  const records = await context.memories.memories(context.scope, restriction, ns);
  const byNumber = new Map(records.map((record) => [record.n, record]));
  return best.flatMap(({ candidate, similarity, sure }) => {
    const record = byNumber.get(candidate.n);
    return record ? [{ record, similarity, sure }] : [];
  });
};
