// A document yields a bounded number of statements: the ones that are worth most, in their order.
import type { Fact, Statement } from './language.ts';

export interface Candidate {
  readonly statement: Statement;
  readonly fact: Fact | null;
  /** Names something that the owner asked for. */
  readonly isRaised: boolean;
}

function worth({ statement, fact, isRaised }: Candidate): number {
  return (
    (fact?.isStatic ? 4 : 0) +
    (fact?.slot ? 3 : 0) +
    (isRaised ? 3 : 0) +
    (statement.eventDates.length > 0 ? 1 : 0) +
    (/\d/.test(statement.memory) ? 1 : 0) +
    (/\s\p{Lu}/u.test(statement.memory) ? 1 : 0)
  );
}

export function mostWorth(candidates: readonly Candidate[], most: number): readonly Candidate[] {
  if (candidates.length <= most) return candidates;
  const kept = candidates
    .map((candidate, at) => ({ at, worth: worth(candidate) }))
    .sort((a, b) => b.worth - a.worth || a.at - b.at)
    .slice(0, most);
  const places = new Set(kept.map(({ at }) => at));
  return candidates.filter((_, at) => places.has(at));
}
