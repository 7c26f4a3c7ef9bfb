// Orders what was read: evidence, priors, one result for each message, no text twice.
import type { Passage } from '../../adapters/store/port.ts';
import type { Candidate } from './candidates.ts';
import { isConversation } from './flags.ts';
import { namedSpeaker, priorOf } from './priors.ts';
import type { Question } from './question.ts';
import type { Judge } from './similarity.ts';
import { placeKey } from './spread.ts';

export interface Ranked {
  passage: Passage;
  /** What the order follows. */
  evidence: number;
  /** What callers see and thresholds cut: rises with the evidence. */
  similarity: number;
}

/** Single spaces are left alone: replacing each by itself would cost more than all the rest of the ranking. */
const UNEVEN_SPACE = /\s{2,}|[^\S ]/g;

/** Texts that differ in nothing a reader would see. */
const sameText = (text: string): string =>
  text.normalize('NFKC').trim().replace(UNEVEN_SPACE, ' ').toLowerCase();

/** The better part stands for a long message; pieces of a document stand for themselves. */
function onePerMessage(ranked: readonly Ranked[]): Ranked[] {
  const seen = new Set<number>();
  return ranked.filter(({ passage }) => {
    if (!isConversation(passage.flags)) return true;
    const key = placeKey(passage.document.n, passage.position);
    return !seen.has(key) && seen.add(key);
  });
}

export function eachTextOnce(ranked: readonly Ranked[]): Ranked[] {
  const seen = new Set<string>();
  return ranked.filter(({ passage }) => {
    const text = sameText(passage.text);
    return !seen.has(text) && seen.add(text);
  });
}

/** Best first. Candidates whose passage the scope or the restriction did not give back are gone. */
export function rank(
  judge: Judge,
  question: Question,
  candidates: readonly Candidate[],
  passages: readonly Passage[],
): Ranked[] {
  const strengths = new Map(candidates.map((candidate) => [candidate.n, candidate]));
  const setting = { question, named: namedSpeaker(question, passages) };
  const ranked = passages.flatMap((passage) => {
    const known = strengths.get(passage.n);
    if (!known) return [];
    const evidence = judge.evidence(known, passage.flags, priorOf(passage, setting));
    return [{ passage, evidence, similarity: judge.similarity(evidence) }];
  });
  ranked.sort((a, b) => b.evidence - a.evidence || a.passage.n - b.passage.n);
  return eachTextOnce(onePerMessage(ranked));
}
