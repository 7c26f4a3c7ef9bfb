// The clause of a finished statement that says something of its subject, behind the words for who says it.
import { type Clause, clauseOf, labelledClause } from './grammar/clause.ts';

/** "Nell: Papa's surgery is on 8 April": who says it, or what it belongs to, and a statement. */
const SAID_BY = /^(?<label>(?:[^:.?!]|\b(?:Dr|Mr|Mrs|Ms|Prof)\.){1,60}): (?=.*\s)/;
/** Of these, nothing tells who they are. */
const QUOTED_PRONOUN = /^(?:i|we|you|they|he|she|it|this|that|these|those|my|our|your)\b/i;

/** "Tank 1: temperature 24 degrees". */
const NOUN_AMOUNT = /^(?<noun>\p{Ll}+(?: \p{Ll}+)?) (?<amount>\d.*)$/u;

/** "Karin lives in Bergen, not Oslo": the denied words are no part of the value. */
const DENIED = /, (?:and )?not (?!(?:that|because|until|only|just|even|yet|to|so|very)\b)[^,;:]{2,40}$/;

export const mainClause = (told: string): Clause | null => {
  const memory = told.replace(DENIED, '');
  const labelled = labelledClause(memory);
  if (labelled) return labelled;
  const found = SAID_BY.exec(memory);
  if (!found) return clauseOf(memory);
  const said = memory.slice(found[0].length);
  const { noun, amount } = NOUN_AMOUNT.exec(said)?.groups ?? {};
  if (noun && amount) return clauseOf(`the ${found.groups?.label} ${noun} is ${amount}`);
  return QUOTED_PRONOUN.test(said) ? null : clauseOf(said);
};
