// Selects a bounded number of statements from a document: the most valuable ones, in their order.
import type { RuleFact, RuleStatement } from './language.ts';

export interface StatementCandidate {
  readonly statement: RuleStatement;
  readonly fact: RuleFact | null;
  /** True if the statement names something that the owner wants. */
  readonly isRaised: boolean;
}

const worth = ({ statement, fact, isRaised }: StatementCandidate): number =>
  (fact?.isStatic ? 4 : 0) +
  (fact?.slot ? 3 : 0) +
  (isRaised ? 3 : 0) +
  (statement.eventDates.length > 0 ? 1 : 0) +
  (/\d/.test(statement.memory) ? 1 : 0) +
  (/\s\p{Lu}/u.test(statement.memory) ? 1 : 0);

export const mostWorth = (
  candidates: readonly StatementCandidate[],
  most: number,
): readonly StatementCandidate[] => {
  if (candidates.length <= most) return candidates;
  const kept = candidates
    .map((candidate, at) => ({ at, worth: worth(candidate) }))
    .sort((a, b) => b.worth - a.worth || a.at - b.at)
    .slice(0, most);
  const places = new Set(kept.map(({ at }) => at));
  return candidates.filter((_, at) => places.has(at));
};
