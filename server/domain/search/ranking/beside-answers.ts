// Adds memories to the results that answer, where the memories are few. What was said later than an answer comes with it: "Ms
// Farrugia looks after the money from 15 May" shares no word with "Who is the treasurer?", and "Treasurer: Mr Blunt" alone
// would be wrong. Where no answer is sure, the next best come with those that are likely.
import { holdsKindAsked } from '../../../lib/text/kinds-of-answer.ts';
import { DEFAULT_THRESHOLD } from '../similarity/scorer.ts';
import type { RankedMemory } from './fuse-memories-and-passages.ts';
import { aboveThreshold } from './thresholds.ts';

/** Among more memories, most of the others are about something else. */
export const FEW = 12;
/** The most results to which later ones are added, with them. */
const MOST = 4;
/** The most results to which others are added where none is sure. */
const MOST_UNSURE = 5;

const saidAt = ({ candidate: { date, memory } }: RankedMemory): number => date ?? memory.createdAt;

export interface Answers {
  /** Best first. */
  readonly memories: readonly RankedMemory[];
  /** The number of memories that were searched. */
  readonly searched: number;
  /** The number of passages that are results. */
  readonly passages: number;
  /** The lowest similarity of a result. */
  readonly lowest: number;
  /** The most results that the caller wants. */
  readonly limit: number;
  /** No memory answers for sure. */
  readonly isUnanswered: boolean;
}

const saidLater = (
  query: string,
  answers: readonly RankedMemory[],
  others: readonly RankedMemory[],
): readonly RankedMemory[] => {
  const first = Math.min(...answers.map(saidAt));
  const holdsKind = holdsKindAsked(query);
  return others.filter(
    (one) => saidAt(one) > first && (holdsKind === undefined || holdsKind(one.candidate.text)),
  );
};

/** Added memories reach the default threshold, and keep their places. Where nothing answers, nothing is added. */
export const liftBesideAnswers = (query: string, found: Answers): readonly RankedMemory[] => {
  const { memories, searched, passages, lowest, limit, isUnanswered } = found;
  if (searched > FEW || lowest > DEFAULT_THRESHOLD) return memories;
  const answers = aboveThreshold(memories, lowest);
  const room = Math.min(limit, isUnanswered ? MOST_UNSURE : MOST) - answers.length - passages;
  if (answers.length + passages === 0 || room <= 0) return memories;
  const others = memories.filter(({ similarity }) => similarity < lowest);
  const added = new Set((isUnanswered ? others : saidLater(query, answers, others)).slice(0, room));
  return memories.map((one) => (added.has(one) ? { ...one, similarity: DEFAULT_THRESHOLD } : one));
};
