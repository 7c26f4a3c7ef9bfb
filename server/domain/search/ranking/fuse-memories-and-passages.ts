// Fuses memories and passages into one list.
import type { Stated } from '../../../adapters/store/ports/recall.ts';
import type { ChunkWithDocument } from '../../../adapters/store/ports/search.ts';
import type { MemoryCandidate } from './candidate.ts';
import { createTextSet } from './duplicate-texts.ts';
import type { RankedCandidate } from './rank.ts';

export type RankedMemory = RankedCandidate<MemoryCandidate>;
export type RankedPassage = RankedCandidate<ChunkWithDocument>;

export type SearchHit = { kind: 'memory'; ranked: RankedMemory } | { kind: 'chunk'; ranked: RankedPassage };

export interface MemoriesAndPassages {
  /** Best first. */
  memories: readonly RankedMemory[];
  /** Best first. */
  chunks: readonly RankedPassage[];
  /** The memories that each chunk states. */
  stated: ReadonlyMap<number, Stated>;
  /** Passages of which every memory is forgotten are included. */
  forgotten: boolean;
  /** A memory replaces its chunks; false: a chunk replaces its memories. */
  memoriesFirst: boolean;
}

const memoryHit = (ranked: RankedMemory): SearchHit => ({ kind: 'memory', ranked });
const chunkHit = (ranked: RankedPassage): SearchHit => ({ kind: 'chunk', ranked });
const byOrder = (a: SearchHit, b: SearchHit): number => b.ranked.order - a.ranked.order;

/** Without passages that a memory repeats word for word: the memory can be changed and forgotten as well. */
const showablePassages = ({ memories, chunks, stated, forgotten }: MemoriesAndPassages): RankedPassage[] => {
  const statements = createTextSet();
  for (const { candidate } of memories) statements.add(candidate.text);
  return chunks.filter(({ candidate }) => {
    const mayBeShown = forgotten || stated.get(candidate.n)?.forgotten !== true;
    return mayBeShown && !statements.has(candidate.text);
  });
};

/** A memory stands for the passages that state it. */
const memoriesFirst = (all: MemoriesAndPassages, passages: readonly RankedPassage[]): SearchHit[] => {
  const shown = new Set(all.memories.map(({ candidate }) => candidate.n));
  const others = passages.filter(
    ({ candidate }) => !all.stated.get(candidate.n)?.memories.some((n) => shown.has(n)),
  );
  return [...all.memories.map(memoryHit), ...others.map(chunkHit)];
};

/**
 * A passage stands for the memories that it states, as high as the best match of them all: it holds the original words,
 * and its neighbours show what they are about.
 */
const passagesFirst = (all: MemoriesAndPassages, passages: readonly RankedPassage[]): SearchHit[] => {
  const passageOf = new Map<number, number>();
  for (const { candidate } of passages)
    for (const memory of all.stated.get(candidate.n)?.memories ?? [])
      if (!passageOf.has(memory)) passageOf.set(memory, candidate.n);
  const bestMemory = new Map<number, RankedMemory>();
  for (const memory of all.memories) {
    const passage = passageOf.get(memory.candidate.n);
    if (passage !== undefined && !bestMemory.has(passage)) bestMemory.set(passage, memory);
  }
  const others = all.memories.filter(({ candidate }) => !passageOf.has(candidate.n));
  return [
    ...others.map(memoryHit),
    ...passages.map((ranked) => {
      const memory = bestMemory.get(ranked.candidate.n);
      const order = Math.max(ranked.order, memory?.order ?? 0);
      return chunkHit({ ...ranked, order, similarity: Math.max(ranked.similarity, memory?.similarity ?? 0) });
    }),
  ];
};

/** Best first, each text once. A memory and a passage that states it are one result. */
export const fuseMemoriesAndPassages = (all: MemoriesAndPassages): SearchHit[] => {
  const passages = showablePassages(all);
  const hits = all.memoriesFirst ? memoriesFirst(all, passages) : passagesFirst(all, passages);
  return hits.sort(byOrder);
};
