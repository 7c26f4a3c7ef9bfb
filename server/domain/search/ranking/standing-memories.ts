// Chooses the memories that stand for passages: each states what its passage says of the query.
import { rootsOf } from '../../../lib/text/terms/derivations.ts';
import {
  countHeldRoots,
  type PassageSentences,
  sentencesWithRoots,
  statingSentences,
} from '../words/stating-sentences.ts';
import type { RankedMemory, RankedPassage } from './fuse-memories-and-passages.ts';

export interface StandingInput {
  readonly query: string;
  /** Best first. */
  readonly passages: readonly RankedPassage[];
  /** The memories that a passage states. */
  readonly statedBy: (passage: RankedPassage) => readonly RankedMemory[];
  /** The query found the memory itself. */
  readonly isFound: (memory: RankedMemory) => boolean;
}

/** Less than this share of the match of its passage: the query asks for something else that the passage says, perhaps in the same long sentence. */
const LEAST_SHARE = 0.2;

/** The places of the sentences with most words of the query; empty: the words do not tell. */
const askedSentences = (sentences: PassageSentences, query: readonly string[]): ReadonlySet<number> => {
  const counts = countHeldRoots(sentences, query);
  const most = Math.max(0, ...counts);
  return new Set(counts.flatMap((count, at) => (most > 0 && count === most ? [at] : [])));
};

/** The memory that matches the query and states an asked sentence; where words do not tell, one that the query found itself. */
const memoryFor = (
  passage: RankedPassage,
  stated: readonly RankedMemory[],
  { queryRoots, isFound }: { queryRoots: readonly string[]; isFound: StandingInput['isFound'] },
): RankedMemory | undefined => {
  const said = sentencesWithRoots(passage.candidate.text);
  const asked = askedSentences(said, queryRoots);
  return stated
    .filter((memory) => memory.order >= LEAST_SHARE * passage.order)
    .toSorted((a, b) => b.order - a.order)
    .find((memory) => {
      if (said.sentences.length === 1) return true;
      const places = statingSentences(said, memory.candidate.text);
      return asked.size === 0 || places.size === 0 ? isFound(memory) : !places.isDisjointFrom(asked);
    });
};

/** By the number of the passage. A memory stands for one passage, the best of those that state it. */
export const standingMemories = ({
  query,
  passages,
  statedBy,
  isFound,
}: StandingInput): ReadonlyMap<number, RankedMemory> => {
  const queryRoots = [...new Set(rootsOf(query))];
  const standing = new Map<number, RankedMemory>();
  const taken = new Set<number>();
  for (const passage of passages) {
    const free = statedBy(passage).filter(({ candidate }) => !taken.has(candidate.n));
    const memory = free.length === 0 ? undefined : memoryFor(passage, free, { queryRoots, isFound });
    if (memory === undefined) continue;
    standing.set(passage.candidate.n, memory);
    taken.add(memory.candidate.n);
  }
  return standing;
};
