// Adds what was said later than an answer to the results, where the memories are few: "Ms Farrugia looks after the money from
// 15 May" shares no word with "Who is the treasurer?", and "Treasurer: Mr Blunt" alone would be wrong.
import { holdsKindAsked } from '../../../lib/text/kinds-of-answer.ts';
import { DEFAULT_THRESHOLD } from '../similarity/scorer.ts';
import type { RankedMemory } from './fuse-memories-and-passages.ts';
import { aboveThreshold } from './thresholds.ts';

/** Among more memories, most of what was said later is about something else. */
const FEW = 12;
/** The most results to which later ones are added, with them. */
const MOST = 4;

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
}

/** Later memories reach the default threshold, and keep their places. Where nothing answers, nothing is added. */
export const liftSaidLater = (
  query: string,
  { memories, searched, passages, lowest }: Answers,
): readonly RankedMemory[] => {
  if (searched > FEW || lowest > DEFAULT_THRESHOLD) return memories;
  const answers = aboveThreshold(memories, lowest);
  const room = MOST - answers.length - passages;
  if (answers.length === 0 || room <= 0) return memories;
  const first = Math.min(...answers.map(saidAt));
  const holdsKind = holdsKindAsked(query);
  const later = memories
    .filter((one) => one.similarity < lowest && saidAt(one) > first)
    .filter(({ candidate }) => holdsKind === undefined || holdsKind(candidate.text))
    .slice(0, room);
  const lifted = new Set(later);
  return memories.map((one) => (lifted.has(one) ? { ...one, similarity: DEFAULT_THRESHOLD } : one));
};
