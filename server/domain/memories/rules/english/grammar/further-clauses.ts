// The clauses of a finished statement behind the first one: "Caspian broke his leg, Eluned plays the count".
import { matchesIn } from '../../../../../lib/text/matches.ts';
import { type Clause, clauseOf } from './clause.ts';
import { verbTokensOf } from './verbs.ts';

/** A mark or "and" before a new subject. */
const JOINT =
  /;\s+|,\s+(?:and |but |so )?|\s+(?:and|but)\s+(?=\p{Lu}|(?:the|their|his|her|he|she|it|they)\s)/gu;
/** Refers to the subject of the clause before. */
const PRONOUN = /^(?:he|she|it|they)\b/i;
const LONGEST_SUBJECT = 5;

export interface FurtherClause {
  readonly text: string;
  readonly clause: Clause;
}

/** `subject`: of the first clause. */
export const furtherClauses = (memory: string, subject: string): FurtherClause[] => {
  const joints = matchesIn(memory, JOINT).map(({ index, 0: joint }) => ({
    from: index,
    to: index + joint.length,
  }));
  return joints.flatMap(({ to }, at) => {
    const text = memory.slice(to, joints[at + 1]?.from).replace(PRONOUN, () => subject);
    const clause = clauseOf(text);
    return clause && verbTokensOf(clause.subject).length <= LONGEST_SUBJECT ? [{ text, clause }] : [];
  });
};
