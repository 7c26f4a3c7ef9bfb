// Metadata filters as SQL over `document_meta`. A negated condition matches documents that lack the key.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Reach } from '../../../core/scope.ts';
import type { Condition, MetadataFilter, Restriction } from '../ports/filters.ts';
import { containersWithAll, containersWithAny } from './scoped-views.ts';

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

const substring = (condition: Condition): RawBuilder<SqlBool> => {
  const folded = sql<SqlBool>`instr(folded, ${foldCase(condition.value)}) > 0`;
  return condition.ignoreCase ? folded : sql<SqlBool>`(${folded} and instr(text, ${condition.value}) > 0)`;
};

const conditionPredicate = (condition: Condition): RawBuilder<SqlBool> => {
  if (condition.filterType === 'numeric') return numericComparison(condition);
  return condition.filterType === 'string_contains' ? substring(condition) : equality(condition);
};

/** The condition that a row is among the holders of a metadata value. */
type Among = (holders: RawBuilder<number>) => RawBuilder<SqlBool>;

const filterPredicate = (
  filter: MetadataFilter,
  among: Among,
  near: RawBuilder<SqlBool>,
): RawBuilder<SqlBool> => {
  if ('AND' in filter || 'OR' in filter) {
    const [parts, glue] = 'AND' in filter ? [filter.AND, sql` and `] : [filter.OR, sql` or `];
    return sql`(${sql.join(
      parts.map((part) => filterPredicate(part, among, near)),
      glue,
    )})`;
  }
  const holders = sql<number>`(
    with visible_meta as (select * from document_meta)
    select doc from visible_meta where key = ${filter.key} and ${near} and ${conditionPredicate(filter)})`;
  return filter.negate ? sql`(not ${among(holders)})` : among(holders);
};

/** Limits the work to the scope instead of the whole store. */
const inReach = ({ reads }: Reach): RawBuilder<SqlBool> =>
  reads === null ? sql`true` : sql`container in ${containersWithAny(reads)}`;

/** Documents whose memories are missing or incomplete. */
const unspokenDocuments = (n: RawBuilder<number>, reach: Reach): RawBuilder<SqlBool> =>
  sql`(${n} in (select doc from documents_unspoken) or ${n} in (
    with visible_waiting as (select n, container from documents where deleted = 0 and memory_state = 'waiting')
    select n from visible_waiting where ${inReach(reach)}))`;

/** The chunks of such a document that were not read, or all of them if reading gave no memories. */
export const UNSPOKEN_CHUNK = sql<SqlBool>`(read_for_memories = 0 or doc in (select doc from documents_unspoken))`;

/** Each name through its own index: with "or", SQLite would use neither. */
const namedDocuments = (name: string): RawBuilder<number> =>
  sql`(select n from visible where id = ${name} union all select n from visible where custom_id = ${name})`;

/** The restriction over the columns of `visible` under the given alias. */
export const documentRestriction = (
  reach: Reach,
  restriction: Restriction,
  alias: string,
): RawBuilder<SqlBool> => {
  const column = (name: string): RawBuilder<never> => sql.ref(`${alias}.${name}`);
  const parts: RawBuilder<SqlBool>[] = [];
  if (restriction.allTags)
    parts.push(sql`${column('container')} in ${containersWithAll(restriction.allTags)}`);
  if (restriction.document !== undefined)
    parts.push(sql`${column('n')} in ${namedDocuments(restriction.document)}`);
  if (restriction.filepath !== undefined) parts.push(underPath(column('filepath'), restriction.filepath));
  if (restriction.unspoken) parts.push(unspokenDocuments(column('n'), reach));
  if (restriction.filter) {
    const among: Among = (holders) => sql`(${column('n')} in ${holders})`;
    parts.push(filterPredicate(restriction.filter, among, inReach(reach)));
  }
  return parts.length === 0 ? sql`true` : sql.join(parts, sql` and `);
};

/**
 * The restriction over `memories`: a memory belongs where its sources are, and has their metadata in addition to its own
 * (which stands in `document_meta` under the memory's number: documents never reach such numbers).
 */
export const memoryRestriction = (reach: Reach, restriction: Restriction): RawBuilder<SqlBool> => {
  const { filter, units: _units, unspoken: _unspoken, ...places } = restriction;
  const parts: RawBuilder<SqlBool>[] = [];
  if (isRestricted(places))
    parts.push(sql`exists (select 1 from memory_sources inner join visible on visible.n = memory_sources.doc
      where memory_sources.memory = memories.n and ${documentRestriction(reach, places, 'visible')})`);
  if (filter) {
    // One set, made once: a subquery for each memory would cost many times as much.
    const among: Among = (holders) => sql`(memories.n in (select doc from ${holders} union all
      select memory from memory_sources where doc in ${holders}))`;
    parts.push(filterPredicate(filter, among, inReach(reach)));
  }
  return parts.length === 0 ? sql`true` : sql.join(parts, sql` and `);
};

/** "/a/" is everything from "/a/" to before "/a0": the character after the slash. */
export const underPath = (column: RawBuilder<string>, path: string): RawBuilder<SqlBool> =>
  path.endsWith('/')
    ? sql`(${column} >= ${path} and ${column} < ${`${path.slice(0, -1)}0`})`
    : sql`${column} = ${path}`;

export const isRestricted = (restriction: Restriction): boolean =>
  restriction.allTags !== undefined ||
  restriction.document !== undefined ||
  restriction.filepath !== undefined ||
  restriction.filter !== undefined ||
  restriction.unspoken === true;
