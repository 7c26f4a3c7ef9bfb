// How two values and two facts compare: the same, more exact, or another.
import type { Fact } from './language.ts';

type Comparison = 'equal' | 'wider' | 'narrower' | 'other';

function compareTerms(one: readonly string[], two: readonly string[]): Comparison {
  const first = new Set(one);
  const second = new Set(two);
  const holdsSecond = [...second].every((term) => first.has(term));
  const holdsFirst = [...first].every((term) => second.has(term));
  if (holdsFirst && holdsSecond) return 'equal';
  if (holdsSecond) return 'wider';
  return holdsFirst ? 'narrower' : 'other';
}

export type Verdict = 'same' | 'updates' | 'extends' | null;

const denies = (fact: Fact): boolean => fact.value.length === 1 && fact.value[0] === 'no';

/** What is over replaces what held, if it is the same that held. */
function endedVerdict(fresh: Fact, known: Fact): Verdict {
  if (known.standing === 'ended' || denies(known))
    return compareTerms(fresh.detail, known.detail) === 'equal' ? 'same' : null;
  if (denies(fresh)) return 'updates';
  const isUnnamed = fresh.value.length === 0 || known.value.length === 0;
  return isUnnamed || known.value.some((term) => fresh.value.includes(term)) ? 'updates' : null;
}

function heldVerdict(fresh: Fact, known: Fact): Verdict {
  const values = compareTerms(fresh.value, known.value);
  if (values === 'other') return fresh.oneValue ? 'updates' : null;
  if (values === 'wider') return 'extends';
  if (values === 'narrower') return null;
  const details = compareTerms(fresh.detail, known.detail);
  if (details === 'equal') return 'same';
  return details === 'wider' ? 'extends' : null;
}

/** How a fact stands to an earlier one of the same slot. */
export function verdict(fresh: Fact, known: Fact): Verdict {
  if (fresh.standing === 'ended') return endedVerdict(fresh, known);
  if (fresh.standing === 'changed')
    return compareTerms(fresh.value, known.value) === 'equal' ? null : 'updates';
  if (known.standing === 'ended') return 'updates';
  return heldVerdict(fresh, known);
}

/** Whether an older fact that is read later was replaced by a younger one. What ended before is a thing of its own. */
export const wasReplaced = (older: Fact, younger: Fact): boolean =>
  (older.standing === 'ended' ? endedVerdict(older, younger) : verdict(younger, older)) === 'updates';
