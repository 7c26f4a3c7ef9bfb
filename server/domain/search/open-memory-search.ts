// Opens the targets of a memory search: passages, and memories where the scope has any.
import type { ChunkWithDocument } from '../../adapters/store/ports/search.ts';
import { lookUpWords, openTarget, type PlannedTarget, planTarget, type QueryRun } from './find-candidates.ts';
import type { MemorySearchTargets } from './memory-search-targets.ts';
import type { MemoryCandidate } from './ranking/candidate.ts';

type OpenedTargets = readonly [
  chunks: PlannedTarget<ChunkWithDocument> | null,
  memories: PlannedTarget<MemoryCandidate> | null,
];

/** Both at once. The measure of the passages tells whether there are memories. */
const openBoth = async (
  run: QueryRun,
  chunks: MemorySearchTargets['chunks'],
  memories: NonNullable<MemorySearchTargets['memories']>,
): Promise<OpenedTargets> => {
  const plan = await planTarget(run, chunks);
  const mayHaveMemories = plan === null || plan.anyMemory;
  return Promise.all([
    plan && lookUpWords(run, chunks, plan),
    mayHaveMemories ? openTarget(run, memories) : null,
  ]);
};

export const openMemorySearch = async (
  run: QueryRun,
  { chunks, memories, unanswered }: MemorySearchTargets,
): Promise<OpenedTargets> => {
  if (memories === null) return [await openTarget(run, chunks), null];
  if (unanswered === null) return openBoth(run, chunks, memories);
  // Memories come second: a memory that is drawn in between must not be missing on both sides.
  const opened = await openTarget(run, chunks);
  return [opened, await openTarget(run, memories)];
};
