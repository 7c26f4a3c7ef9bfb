// Compares two values and two facts: the same, more exact, or different.
import type { RuleFact } from './language.ts';

type Comparison = 'equal' | 'wider' | 'narrower' | 'other';

export const compareTerms = (one: readonly string[], two: readonly string[]): Comparison => {
  const first = new Set(one);
  const second = new Set(two);
  const holdsSecond = [...second].every((term) => first.has(term));
  const holdsFirst = [...first].every((term) => second.has(term));
  if (holdsFirst && holdsSecond) return 'equal';
  if (holdsSecond) return 'wider';
  return holdsFirst ? 'narrower' : 'other';
};

export type ValueVerdict = 'same' | 'updates' | 'extends' | null;

const denies = (fact: RuleFact): boolean => fact.value.length === 1 && fact.value[0] === 'no';

/** An ended state replaces a present one with the same value. */
const endedVerdict = (fresh: RuleFact, known: RuleFact): ValueVerdict => {
  if (known.standing === 'ended' || denies(known))
    return compareTerms(fresh.detail, known.detail) === 'equal' ? 'same' : null;
  if (denies(fresh)) return 'updates';
  const isUnnamed = fresh.value.length === 0 || known.value.length === 0;
  return isUnnamed || known.value.some((term) => fresh.value.includes(term)) ? 'updates' : null;
};

/** "every Monday" and "on Thursdays", "20 mg" and "40 mg": one replaces the other, unless the statement adds. */
const measuresDiffer = (fresh: RuleFact, known: RuleFact): boolean =>
  !fresh.adds &&
  fresh.measures.length > 0 &&
  known.measures.length > 0 &&
  compareTerms(fresh.measures, known.measures) === 'other';

const heldVerdict = (fresh: RuleFact, known: RuleFact): ValueVerdict => {
  const values = compareTerms(fresh.value, known.value);
  if (values === 'other') return fresh.oneValue && !fresh.adds ? 'updates' : null;
  if (values === 'wider') return 'extends';
  if (values === 'narrower') return null;
  const details = compareTerms(fresh.detail, known.detail);
  if (details === 'equal') return 'same';
  if (measuresDiffer(fresh, known)) return 'updates';
  return details === 'wider' ? 'extends' : null;
};

/** The relation of a fact to an earlier one of the same slot. */
export const verdict = (fresh: RuleFact, known: RuleFact): ValueVerdict => {
  if (fresh.standing === 'ended') return endedVerdict(fresh, known);
  if (fresh.standing === 'changed')
    return compareTerms(fresh.value, known.value) === 'equal' ? null : 'updates';
  if (known.standing === 'ended') return 'updates';
  return heldVerdict(fresh, known);
};

/** True if a newer fact replaced an older one that is read later. A state that ended before is a separate fact. */
export const wasReplaced = (older: RuleFact, younger: RuleFact): boolean =>
  (older.standing === 'ended' ? endedVerdict(older, younger) : verdict(younger, older)) === 'updates';
