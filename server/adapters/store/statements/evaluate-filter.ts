// Evaluates a filter: each condition is looked up once, and AND, OR and negation are operations on sets of numbers.
// A negated condition allows documents that lack the key. A filter that allows much is evaluated only for some units.
import pMap from 'p-map';
import { type Kysely, type RawBuilder, type SqlBool, sql } from '#kysely';
import type { Reach } from '../../../core/scope.ts';
import { groupedNumbers, numberList } from '../engine/lists.ts';
import { run } from '../engine/run.ts';
import type { Condition, MetadataFilter } from '../ports/filters.ts';
import type { Db, StoreTables } from '../tables/tables.ts';
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

/** Numbers compare by value: "5" finds 5 and "5.0" finds 5. In two parts, each of which has an index. */
const equality = (condition: Condition): RawBuilder<SqlBool>[] => {
  const value = condition.value;
  const folded = sql<SqlBool>`same_value(folded, ${foldCase(value)})`;
  const text = condition.ignoreCase ? folded : sql<SqlBool>`(${folded} and text = ${value})`;
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (!Number.isFinite(number)) return [text];
  return [text, sql<SqlBool>`(type = 'n' and number = ${number} and not ${text})`];
};

/** The only comparison whose cost depends on the length of the stored text, so the thread can be ended at every row. */
const substring = (condition: Condition): RawBuilder<SqlBool> => {
  const folded = sql<SqlBool>`(interruptible() and text_place(folded, ${foldCase(condition.value)}) > 0)`;
  return condition.ignoreCase
    ? folded
    : sql<SqlBool>`(${folded} and text_place(text, ${condition.value}) > 0)`;
};

/** A value meets the condition if it meets one of these, and it never meets two. */
const conditionPredicates = (condition: Condition): RawBuilder<SqlBool>[] => {
  if (condition.filterType === 'numeric') return [numericComparison(condition)];
  return condition.filterType === 'string_contains' ? [substring(condition)] : equality(condition);
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

/** The documents and memories that a filter or a part of it allows. */
interface Selected {
  readonly documents: Selection;
  /** A memory has the metadata of its documents in addition to its own. Null: only documents are read. */
  readonly memories: Selection | null;
}

const combined = (parts: readonly Selected[], combine: (a: Selection, b: Selection) => Selection): Selected =>
  parts.reduce((a, b) => ({
    documents: combine(a.documents, b.documents),
    memories: a.memories && b.memories && combine(a.memories, b.memories),
  }));

const negated = ({ documents, memories }: Selected): Selected => ({
  documents: complement(documents),
  memories: memories && complement(memories),
});

interface Evaluation {
  readonly db: Db;
  readonly reach: Reach;
  /** False: only documents are read. */
  readonly memories: boolean;
  /** A list in JSON of the only documents and memories that are looked at. Missing: all are. */
  readonly among?: string;
  /** A condition that more documents and memories meet is not evaluated. Missing: each is. */
  readonly most?: number;
}

/** The index begins with the key and the container, so that a value is looked up in each container of a whole store too. */
const inContainers = (reach: Reach): RawBuilder<SqlBool> =>
  reach.reads === null ? sql`container in (select n from containers)` : inReach(reach);

type HolderTables = StoreTables & { visible_meta: StoreTables['document_meta'] };

/** The index of documents serves those that are named, and no other index is to be taken for them. */
const holders = ({ db, reach, among }: Evaluation, key: string, predicate: RawBuilder<SqlBool>) => {
  // The view is defined once, around all parts.
  const inView = db as unknown as Kysely<HolderTables>;
  const meta = inView.selectFrom('visible_meta').select('doc').where(predicate);
  return among === undefined
    ? meta.where('key', '=', key).where(inContainers(reach))
    : meta
        .where(sql<SqlBool>`(key || '') = ${key}`)
        .where(inReach(reach))
        .where('doc', 'in', numberList(among));
};

/** The documents and memories that hold a value which meets the condition, as a list in JSON; null: more than `most`. */
const findHolders = async (evaluation: Evaluation, condition: Condition): Promise<string | null> => {
  const { db, most } = evaluation;
  const [first, ...others] = conditionPredicates(condition).map((predicate) =>
    holders(evaluation, condition.key, predicate),
  );
  if (first === undefined) throw new Error('A condition has a predicate.');
  const all = others.reduce((joined, each) => joined.unionAll(each), first);
  const [found] = await db
    .with('visible_meta', (query) => query.selectFrom('document_meta').selectAll())
    .selectFrom((most === undefined ? all : all.limit(most + 1)).as('holders'))
    .select([groupedNumbers(sql.ref('doc')).as('ns'), sql<number>`count(*)`.as('count')])
    .execute();
  return most !== undefined && (found?.count ?? 0) > most ? null : (found?.ns ?? '[]');
};

const FED_BY = 'select memory from memory_sources where doc in (select value from number_list($1))';

const memoriesFrom = async (db: Db, documents: string): Promise<number[]> => {
  const { rows } = await run<{ memory: number }>(db, FED_BY, [documents]);
  return rows.map(({ memory }) => memory);
};

const evaluateCondition = async (evaluation: Evaluation, condition: Condition): Promise<Selected | null> => {
  const found = await findHolders(evaluation, condition);
  if (found === null) return null;
  const own = new Set<number>(JSON.parse(found));
  const documents = { listed: true, numbers: own };
  if (!evaluation.memories) return { documents, memories: null };
  const numbers = new Set([...own, ...(await memoriesFrom(evaluation.db, found))]);
  return { documents, memories: { listed: true, numbers } };
};

const FEEDING = 'select doc from memory_sources where memory in (select value from number_list($1))';

/** Looks only at these documents and memories, and at the documents of these memories, whose metadata are theirs too. */
const evaluationAmong = async (
  { db, reach, memories }: Evaluation,
  ns: readonly number[],
): Promise<Evaluation> => {
  const { rows } = await run<{ doc: number }>(db, FEEDING, [JSON.stringify(ns)]);
  const among = JSON.stringify([...new Set([...ns, ...rows.map(({ doc }) => doc)])]);
  return { db, reach, memories, among };
};

/** The same for conditions that differ only in their negation. */
const conditionKey = ({ negate: _, ...condition }: Condition): string => JSON.stringify(condition);

type Evaluator = (filter: MetadataFilter) => Promise<Selected | null>;

/** Null: too many meet a condition. Parts of an AND that too many meet are evaluated among what its other parts allow. */
const createEvaluator = (evaluation: Evaluation): Evaluator => {
  const looked = new Map<string, Promise<Selected | null>>();
  const lookUp = (condition: Condition): Promise<Selected | null> => {
    const key = conditionKey(condition);
    const found = looked.get(key) ?? evaluateCondition(evaluation, condition);
    looked.set(key, found);
    return found;
  };
  /** In turn, because parts may ask for the same condition, and a database is not asked for hundreds at once. */
  const evaluateEach = (filters: readonly MetadataFilter[]): Promise<(Selected | null)[]> =>
    pMap(filters, evaluate, { concurrency: 1 });
  const evaluateAnd = async (filters: readonly MetadataFilter[]): Promise<Selected | null> => {
    const parts = await evaluateEach(filters);
    const known = parts.filter((part) => part !== null);
    if (known.length === 0) return null;
    const narrow = combined(known, inBoth);
    if (known.length === parts.length) return narrow;
    if (!narrow.documents.listed) return null;
    const ns = [...narrow.documents.numbers, ...(narrow.memories?.numbers ?? [])];
    const evaluateRest = createEvaluator(await evaluationAmong(evaluation, ns));
    const rest = await evaluateRest({ AND: filters.filter((_, at) => parts[at] === null) });
    return rest && combined([narrow, rest], inBoth);
  };
  const evaluate: Evaluator = async (filter) => {
    if ('AND' in filter) return evaluateAnd(filter.AND);
    if ('OR' in filter) {
      const parts = await evaluateEach(filter.OR);
      return parts.every((part) => part !== null) ? combined(parts, inEither) : null;
    }
    const found = await lookUp(filter);
    return found && filter.negate ? negated(found) : found;
  };
  return evaluate;
};

const asList = ({ listed, numbers }: Selection): NumberSet => ({ listed, ns: JSON.stringify([...numbers]) });

const asLists = ({ documents, memories }: Selected): FilterNumbers => ({
  documents: asList(documents),
  memories: memories && asList(memories),
});

const evaluatedWhole = async (evaluation: Evaluation, filter: MetadataFilter): Promise<Selected> => {
  const found = await createEvaluator(evaluation)(filter);
  if (found === null) throw new Error('Without a bound every condition is evaluated.');
  return found;
};

/** `memories`: false if only documents are read. */
export const evaluateFilter = async (
  db: Db,
  reach: Reach,
  filter: MetadataFilter,
  memories: boolean,
): Promise<FilterNumbers> => asLists(await evaluatedWhole({ db, reach, memories }, filter));

/** Null: the filter is broad, because more than `most` documents and memories meet a condition of it. */
export const evaluateNarrowFilter = async (
  db: Db,
  reach: Reach,
  filter: MetadataFilter,
  most: number,
): Promise<FilterNumbers | null> => {
  const found = await createEvaluator({ db, reach, memories: true, most })(filter);
  return found && asLists(found);
};

const NOTHING: FilterNumbers = {
  documents: { listed: true, ns: '[]' },
  memories: { listed: true, ns: '[]' },
};

/** For these documents or memories alone: no other is allowed. */
export const evaluateFilterAmong = async (
  db: Db,
  reach: Reach,
  filter: MetadataFilter,
  ns: readonly number[],
): Promise<FilterNumbers> => {
  if (ns.length === 0) return NOTHING;
  const evaluation = await evaluationAmong({ db, reach, memories: true }, ns);
  const looked = { listed: true, numbers: new Set(ns) };
  const found = await evaluatedWhole(evaluation, filter);
  return asLists(combined([{ documents: looked, memories: looked }, found], inBoth));
};
