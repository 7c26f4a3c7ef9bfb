// Fuses memories and passages into one list. A memory that states what a passage says stands for it.
import type { Stated } from '../../../adapters/store/ports/memories/recall.ts';
import type { ChunkWithDocument } from '../../../adapters/store/ports/search.ts';
import type { MemoryCandidate } from './candidate.ts';
import { createTextSet } from './duplicate-texts.ts';
import type { RankedCandidate } from './rank.ts';

export type RankedMemory = RankedCandidate<MemoryCandidate>;
export type RankedPassage = RankedCandidate<ChunkWithDocument>;

export interface MemoryHit {
  kind: 'memory';
  ranked: RankedMemory;
  /** The passage for which it stands. */
  passage: RankedPassage | null;
  /** False: the search found only its passage. */
  isFound: boolean;
}

export interface PassageHit {
  kind: 'chunk';
  ranked: RankedPassage;
}

export type SearchHit = MemoryHit | PassageHit;

export const passageOfHit = (hit: SearchHit): RankedPassage | null =>
  hit.kind === 'chunk' ? hit.ranked : hit.passage;

/** The memory and the passage of a hit, as far as it has them. */
export const partsOfHit = (hit: SearchHit): readonly (RankedMemory | RankedPassage)[] =>
  hit.kind === 'memory' && hit.passage !== null ? [hit.ranked, hit.passage] : [hit.ranked];

export interface MemoriesAndPassages {
  /** Best first. */
  memories: readonly RankedMemory[];
  /** Best first. */
  chunks: readonly RankedPassage[];
  /** The memory that stands for a passage, by the number of the passage. */
  standing: ReadonlyMap<number, RankedMemory>;
}

interface Match {
  order: number;
  similarity: number;
}

/** The match, with at least the order and the similarity of the best of the others. */
export const asHighAs = <Ranked extends Match>(ranked: Ranked, others: readonly Match[]): Ranked => ({
  ...ranked,
  order: Math.max(ranked.order, ...others.map(({ order }) => order)),
  similarity: Math.max(ranked.similarity, ...others.map(({ similarity }) => similarity)),
});

/** Certainty gives infinite odds. */
const oddsOf = (order: number): number => order / (1 - order);

/**
 * Of the odds that every memory has, this share counts: a passage that states a memory is a little likelier. All of them would
 * lift each such passage above those without a memory that match better.
 */
const FLOOR_SHARE = 0.5;

/** The odds add: two signs of one statement are stronger than the better of them, and a weak one changes little. */
const bothTogether = (passage: number, memory: RankedMemory | undefined): number => {
  if (memory === undefined) return passage;
  const sign = oddsOf(memory.order) - (1 - FLOOR_SHARE) * oddsOf(memory.floor);
  return 1 - 1 / (1 + oddsOf(passage) + Math.max(0, sign));
};

const bestOf = (memories: readonly RankedMemory[]): RankedMemory | undefined =>
  memories.toSorted((a, b) => b.order - a.order)[0];

/**
 * Callers sort by the similarity: a passage that two signs lift above others is at least as similar as these, as far as the
 * signs reach. Given and returned best first.
 */
const asSimilarAsThoseBelow = (
  passages: readonly RankedPassage[],
  memories: readonly RankedMemory[],
): RankedPassage[] => {
  const others = memories.toSorted((a, b) => a.order - b.order);
  let below = 0;
  let at = 0;
  return passages
    .toReversed()
    .map((passage) => {
      for (; (others[at]?.order ?? Number.POSITIVE_INFINITY) < passage.order; at++)
        below = Math.max(below, others[at]?.similarity ?? 0);
      const similarity = Math.max(passage.similarity, Math.min(passage.order, below));
      below = Math.max(below, similarity);
      return { ...passage, similarity };
    })
    .reverse();
};

/**
 * Each passage with the best memory that it states as a second sign of what it says, best first. Both signs decide the order;
 * the similarity is that of the better one, because the same words in both say nothing new about their relevance.
 */
export const liftPassages = (
  passages: readonly RankedPassage[],
  memories: readonly RankedMemory[],
  stated: ReadonlyMap<number, Stated>,
): RankedPassage[] => {
  const found = new Map(memories.map((memory) => [memory.candidate.n, memory]));
  const lifted = passages.map((passage) => {
    const said = (stated.get(passage.candidate.n)?.memories ?? []).flatMap((n) => found.get(n) ?? []);
    const order = bothTogether(passage.order, bestOf(said));
    return { ...passage, order, similarity: asHighAs(passage, said).similarity };
  });
  return asSimilarAsThoseBelow(
    lifted.sort((a, b) => b.order - a.order),
    memories,
  );
};

/** Best first, each text once. A memory is as high as the passage for which it stands. */
export const fuseMemoriesAndPassages = ({ memories, chunks, standing }: MemoriesAndPassages): SearchHit[] => {
  const found = new Map(memories.map((memory) => [memory.candidate.n, memory]));
  const stands = new Set([...standing.values()].map(({ candidate }) => candidate.n));
  const texts = createTextSet();
  for (const { candidate } of memories) texts.add(candidate.text);
  const passages = chunks.flatMap((passage): SearchHit[] => {
    const { n, text } = passage.candidate;
    const memory = standing.get(n);
    if (memory) {
      const itself = found.get(memory.candidate.n);
      const ranked = asHighAs(itself ?? memory, [passage]);
      return [{ kind: 'memory', ranked, passage, isFound: itself !== undefined }];
    }
    // The memory with the same words can be changed and forgotten as well.
    return texts.has(text) ? [] : [{ kind: 'chunk', ranked: passage }];
  });
  const others = memories
    .filter(({ candidate }) => !stands.has(candidate.n))
    .map((ranked): MemoryHit => ({ kind: 'memory', ranked, passage: null, isFound: true }));
  return [...others, ...passages].sort((a, b) => b.ranked.order - a.ranked.order);
};
