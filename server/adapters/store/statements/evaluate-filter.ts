// Evaluates a filter: each condition is looked up once, and AND, OR and negation are operations on sets of numbers.
// A negated condition allows documents that lack the key.
import { type RawBuilder, type SqlBool, sql } from '#kysely';
import type { Reach } from '../../../core/scope.ts';
import { groupedNumbers } from '../engine/lists.ts';
import { run } from '../engine/run.ts';
import type { Condition, MetadataFilter } from '../ports/filters.ts';
import type { Db } from '../tables/tables.ts';
import type { FilterNumbers, NumberSet } from './filters.ts';
import { inReach } from './scoped-views.ts';

export const foldCase = (text: string): string => text.normalize('NFC').toLowerCase();

const numericComparison = (condition: Condition): RawBuilder<SqlBool> => {
  const number = Number(condition.value);
  switch (condition.numericOperator) {
    case '>':
      return sql`number > ${number}`;
    case '<':
      return sql`number < ${number}`;
    case '>=':
      return sql`number >= ${number}`;
    case '<=':
      return sql`number <= ${number}`;
    default:
      return sql`number = ${number}`;
  }
};

/** Numbers compare by value: "5" finds 5 and "5.0" finds 5. */
const equality = (condition: Condition): RawBuilder<SqlBool> => {
  const value = condition.value;
  const folded = sql<SqlBool>`folded = ${foldCase(value)}`;
  const text = condition.ignoreCase ? folded : sql<SqlBool>`(${folded} and text = ${value})`;
  const number = value.trim() === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) ? sql<SqlBool>`(${text} or (type = 'n' and number = ${number}))` : text;
};

/** The only comparison whose cost depends on the length of the stored text, so the thread can be ended at every row. */
const substring = (condition: Condition): RawBuilder<SqlBool> => {
  const folded = sql<SqlBool>`(interruptible() and text_place(folded, ${foldCase(condition.value)}) > 0)`;
  return condition.ignoreCase
    ? folded
    : sql<SqlBool>`(${folded} and text_place(text, ${condition.value}) > 0)`;
};

const conditionPredicate = (condition: Condition): RawBuilder<SqlBool> => {
  if (condition.filterType === 'numeric') return numericComparison(condition);
  return condition.filterType === 'string_contains' ? substring(condition) : equality(condition);
};

/** Documents and memories: those in the set, or all others. */
interface Selection {
  readonly listed: boolean;
  readonly numbers: Set<number>;
}

const complement = ({ listed, numbers }: Selection): Selection => ({ listed: !listed, numbers });

const inBoth = (a: Selection, b: Selection): Selection => {
  if (a.listed) {
    const numbers = b.listed ? a.numbers.intersection(b.numbers) : a.numbers.difference(b.numbers);
    return { listed: true, numbers };
  }
  if (b.listed) return { listed: true, numbers: b.numbers.difference(a.numbers) };
  return { listed: false, numbers: a.numbers.union(b.numbers) };
};

const inEither = (a: Selection, b: Selection): Selection => complement(inBoth(complement(a), complement(b)));

const combine = (filter: MetadataFilter, holders: (condition: Condition) => Selection): Selection => {
  if ('AND' in filter) return filter.AND.map((part) => combine(part, holders)).reduce(inBoth);
  if ('OR' in filter) return filter.OR.map((part) => combine(part, holders)).reduce(inEither);
  return filter.negate ? complement(holders(filter)) : holders(filter);
};

const conditionsOf = (filter: MetadataFilter): readonly Condition[] => {
  if ('AND' in filter) return filter.AND.flatMap(conditionsOf);
  return 'OR' in filter ? filter.OR.flatMap(conditionsOf) : [filter];
};

/** The same for conditions that differ only in their negation. */
const conditionKey = ({ negate: _, ...condition }: Condition): string => JSON.stringify(condition);

/** The documents and memories that hold a value which meets the condition, as a list in JSON. */
const findHolders = async (db: Db, reach: Reach, condition: Condition): Promise<string> => {
  const [found] = await db
    .with('visible_meta', (query) => query.selectFrom('document_meta').selectAll())
    .selectFrom('visible_meta')
    .select(groupedNumbers(sql.ref('doc')).as('ns'))
    .where('key', '=', condition.key)
    .where(inReach(reach))
    .where(conditionPredicate(condition))
    .execute();
  return found?.ns ?? '[]';
};

const FED_BY = 'select memory from memory_sources where doc in (select value from number_list($1))';

const memoriesFrom = async (db: Db, documents: string): Promise<number[]> => {
  const { rows } = await run<{ memory: number }>(db, FED_BY, [documents]);
  return rows.map(({ memory }) => memory);
};

const asList = ({ listed, numbers }: Selection): NumberSet => ({ listed, ns: JSON.stringify([...numbers]) });

/** A memory has the metadata of its documents in addition to its own. `memories`: false if only documents are read. */
export const evaluateFilter = async (
  db: Db,
  reach: Reach,
  filter: MetadataFilter,
  memories: boolean,
): Promise<FilterNumbers> => {
  const holders = new Map<string, { own: Selection; withSources: Selection | null }>();
  for (const condition of conditionsOf(filter)) {
    const key = conditionKey(condition);
    if (holders.has(key)) continue;
    const found = await findHolders(db, reach, condition);
    const own = new Set<number>(JSON.parse(found));
    const withSources = memories ? new Set([...own, ...(await memoriesFrom(db, found))]) : null;
    holders.set(key, {
      own: { listed: true, numbers: own },
      withSources: withSources && { listed: true, numbers: withSources },
    });
  }
  const of = (kind: 'own' | 'withSources') => (condition: Condition) =>
    holders.get(conditionKey(condition))?.[kind] ?? { listed: true, numbers: new Set<number>() };
  return {
    documents: asList(combine(filter, of('own'))),
    memories: memories ? asList(combine(filter, of('withSources'))) : null,
  };
};
