// The thresholds: the lowest similarity of a result, and of the best result of its document.
import type { MemorySources, RecallStore } from '../../../adapters/store/ports/memories/recall.ts';
import type { ChunkWithDocument } from '../../../adapters/store/ports/search.ts';
import type { Scope } from '../../../core/scope.ts';
import type { MemoryCandidate, SearchCandidate } from './candidate.ts';
import type { RankedCandidate } from './rank.ts';

export const aboveThreshold = <Candidate extends SearchCandidate>(
  ranked: readonly RankedCandidate<Candidate>[],
  threshold: number,
): RankedCandidate<Candidate>[] => ranked.filter(({ similarity }) => similarity >= threshold);

/** The numbers of the documents that have a passage above the threshold. */
export const documentsAboveThreshold = (
  ranked: readonly RankedCandidate<ChunkWithDocument>[],
  threshold: number,
): Set<number> => new Set(aboveThreshold(ranked, threshold).map(({ candidate }) => candidate.document.n));

interface RankedResults {
  memories: readonly RankedCandidate<MemoryCandidate>[];
  chunks: readonly RankedCandidate<ChunkWithDocument>[];
}

const documentNumbers = (sources: MemorySources | undefined): number[] =>
  (sources?.documents ?? []).map(({ n }) => n);

/** Leaves out results of documents in which nothing reaches the threshold. */
export const aboveDocumentThreshold = async <Results extends RankedResults>(
  { recall, scope }: { readonly recall: RecallStore; readonly scope: Scope },
  results: Results,
  threshold: number,
): Promise<Results> => {
  if (threshold === 0) return results;
  const { memories, chunks } = results;
  const sources = await recall.sources(
    scope,
    memories.map(({ candidate }) => candidate.n),
  );
  const documents = documentsAboveThreshold(chunks, threshold);
  for (const { candidate } of aboveThreshold(memories, threshold))
    for (const n of documentNumbers(sources.get(candidate.n))) documents.add(n);
  return {
    ...results,
    memories: memories.filter(({ candidate }) =>
      documentNumbers(sources.get(candidate.n)).some((n) => documents.has(n)),
    ),
    chunks: chunks.filter(({ candidate }) => documents.has(candidate.document.n)),
  };
};
