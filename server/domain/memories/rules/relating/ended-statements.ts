// Statements that only end an earlier one: "Sister Agnes retired". A statement of what is true now, said with the end, replaces
// the earlier one in place of the end.
import type { DrawnMemory, DrawnRelation } from '../../../../adapters/language-model/ports/memory-reader.ts';
import type { Grammar, RuleFact } from '../language.ts';
import { comesInPlace } from '../replacing/in-its-place.ts';
import type { EarlierStatement, Related, StatementPool, StatementRef } from './statement-pool.ts';

/** Signs that something ended, in the table of signs of a sketch. */
const ENDS = [1, 7];

/** "Sister Agnes has retired": nothing tells what is true now. */
export const onlyEnds = (fact: RuleFact | null): boolean =>
  fact !== null &&
  (fact.standing === 'ended' ||
    fact.ends.length > 0 ||
    (fact.sketch?.signs.some((sign) => ENDS.includes(sign)) ?? false));

const replacedStatements = ({ relations }: DrawnMemory, { byRef }: StatementPool): EarlierStatement[] =>
  relations.flatMap(({ kind, to }) => (kind === 'updates' ? (byRef.get(to)?.statement ?? []) : []));

export const markEnded = (memory: DrawnMemory, at: number, pool: StatementPool): void => {
  for (const statement of replacedStatements(memory, pool)) {
    statement.replaced = false;
    statement.endedBy = at;
  }
};

interface EndContext {
  readonly pool: StatementPool;
  readonly grammar: Grammar;
}

/** The one statement that the last one ended, if both are of one message and this one tells of something in its place. */
const endedJustBefore = (
  { memory, relations, positions }: DrawnMemory,
  related: readonly Related[],
  { pool, grammar }: EndContext,
): StatementRef | null => {
  const end = related.at(-1)?.memory;
  if (!end?.positions.some((one) => positions.includes(one))) return null;
  if (relations.some(({ kind }) => kind === 'updates')) return null;
  const isEnded = ({ to }: DrawnRelation) => pool.byRef.get(to)?.statement.endedBy === related.length - 1;
  const [ended, another] = end.relations.filter(isEnded);
  const [fact, before] = [grammar.factOf(memory), grammar.factOf(end.memory)];
  if (!ended || another || !fact || !before || onlyEnds(fact)) return null;
  return comesInPlace(fact, before) ? ended.to : null;
};

/** "I left the bank. I drive a tram now": no rule and no model finds the bank for the tram. */
export const inPlaceOfEnd = (fresh: Related, related: readonly Related[], context: EndContext): Related => {
  const { memory, sameAs } = fresh;
  const ended = sameAs === null ? endedJustBefore(memory, related, context) : null;
  if (ended === null) return fresh;
  return {
    ...fresh,
    memory: { ...memory, relations: [...memory.relations, { kind: 'updates', to: ended }] },
  };
};

/** The statement that ended an earlier one, or that another of its message has just taken the place of. */
const formerOf = ({ endedBy, claim }: EarlierStatement, at: number): number | null =>
  endedBy ?? (claim !== null && claim.by !== at ? claim.by : null);

/** "Sister Jo is ward manager now", said with the end of the former one, is what replaces it. */
export const takeOver = (fresh: DrawnMemory, related: Related[], pool: StatementPool): void => {
  for (const statement of replacedStatements(fresh, pool)) {
    const former = formerOf(statement, related.length);
    const before = former === null ? undefined : related[former];
    if (former === null || !before) continue;
    const relations = before.memory.relations.filter(({ to }) => to !== statement.ref);
    related[former] = { ...before, memory: { ...before.memory, relations } };
    statement.endedBy = null;
    statement.claim = null;
  }
};
