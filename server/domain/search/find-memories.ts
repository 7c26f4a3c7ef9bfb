// The memories themselves, for other parts of the service.
import type { MemoryDetail } from '../../adapters/store/memory-port.ts';
import type { Scope } from '../../lib/scope.ts';
import { find } from './find.ts';
import { aboveFloor, memoriesOnly, memoryTarget, type RecallDeps } from './recall.ts';

/** What another part of the service looks for among memories. */
export interface MemoryQuery {
  q: string;
  /** Only memories that carry all of these. */
  tags: readonly string[];
  threshold: number;
  limit: number;
  /** Forgotten and expired ones too. */
  forgotten: boolean;
}

export interface FoundMemory {
  record: MemoryDetail;
  similarity: number;
}

export async function findMemories(
  deps: RecallDeps,
  scope: Scope,
  { q: text, tags, threshold, limit, forgotten }: MemoryQuery,
  signal: AbortSignal,
): Promise<FoundMemory[]> {
  const restriction = memoriesOnly({ allTags: tags }, forgotten);
  const asked = { scope, text, basis: 'both' as const, signal, watch: null };
  const ranked = await find(deps, asked, memoryTarget(deps, scope, restriction, limit));
  const best = aboveFloor(ranked, threshold).slice(0, limit);
  const ns = best.map(({ unit }) => unit.n);
  const records = await deps.memories.memories(scope, restriction, ns);
  const byNumber = new Map(records.map((record) => [record.n, record]));
  return best.flatMap(({ unit, similarity }) => {
    const record = byNumber.get(unit.n);
    return record ? [{ record, similarity }] : [];
  });
}
