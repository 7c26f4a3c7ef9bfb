// Orders what was read: evidence, priors, one result for each message, no text twice.
import type { Candidate } from './candidates.ts';
import { isConversation } from './flags.ts';
import { namedSpeaker, priorOf } from './priors.ts';
import type { Question } from './question.ts';
import type { Judge } from './similarity.ts';
import { placeKey } from './spread.ts';
import { createTexts } from './texts.ts';
import type { Rankable } from './unit.ts';

export interface Ranked<Unit extends Rankable> {
  unit: Unit;
  /** What the order follows. */
  evidence: number;
  /** What callers see and thresholds cut: rises with the evidence. */
  similarity: number;
}

/** The better part stands for a long message; pieces of a document stand for themselves. */
function onePerMessage<Unit extends Rankable>(ranked: readonly Ranked<Unit>[]): Ranked<Unit>[] {
  const seen = new Set<number>();
  return ranked.filter(({ unit }) => {
    if (!isConversation(unit.flags)) return true;
    const key = placeKey(unit.document.n, unit.position);
    return !seen.has(key) && seen.add(key);
  });
}

function eachTextOnce<Unit extends Rankable>(ranked: readonly Ranked<Unit>[]): Ranked<Unit>[] {
  const seen = createTexts();
  return ranked.filter(({ unit }) => seen.add(unit.text));
}

/** One result for each message, no text twice. */
export const distinct = <Unit extends Rankable>(ranked: readonly Ranked<Unit>[]): Ranked<Unit>[] =>
  eachTextOnce(onePerMessage(ranked));

/** Best first. Candidates whose unit the scope or the restriction did not give back are gone. */
export function rank<Unit extends Rankable>(
  judge: Judge,
  question: Question,
  candidates: readonly Candidate[],
  units: readonly Unit[],
): Ranked<Unit>[] {
  const strengths = new Map(candidates.map((candidate) => [candidate.n, candidate]));
  const setting = { question, named: namedSpeaker(question, units) };
  const ranked = units.flatMap((unit) => {
    const known = strengths.get(unit.n);
    if (!known) return [];
    const evidence = judge.evidence(known, unit.flags, priorOf(unit, setting));
    return [{ unit, evidence, similarity: judge.similarity(evidence) }];
  });
  ranked.sort((a, b) => b.evidence - a.evidence || a.unit.n - b.unit.n);
  return distinct(ranked);
}
