// Restrictions as SQL. A filter was evaluated before (`evaluate-filter.ts`): here it is a set of numbers.
import { type RawBuilder, type SqlBool, sql } from '#kysely';
import type { Reach } from '../../../core/scope.ts';
import { numberList } from '../engine/lists.ts';
import type { MetadataFilter, Restriction, UnitKind } from '../ports/filters.ts';
import { containersWithAll, inReach, LIVING_TEXT } from './scoped-views.ts';

/** Documents or memories by their numbers: those in the list, or all others. */
export interface NumberSet {
  readonly listed: boolean;
  /** A list in JSON, as statements take it. */
  readonly ns: string;
}

/** The documents and memories that a filter allows. */
export interface FilterNumbers {
  readonly documents: NumberSet;
  /** Null: not evaluated, because only documents are read. */
  readonly memories: NumberSet | null;
}

/** A filter that allows too much to list it. It is evaluated for what a search has found. */
export interface BroadFilter {
  readonly filter: MetadataFilter;
  /** Fewer documents or memories than this are listed. */
  readonly most: number;
}

/** A restriction whose filter has been evaluated, unless it is broad. */
export interface EvaluatedRestriction extends Omit<Restriction, 'filter'> {
  readonly filter?: never;
  readonly allowed?: FilterNumbers;
  /** Never in a statement: `evaluate-broad.ts` puts `allowed` in its place. */
  readonly broad?: BroadFilter;
}

const DOCUMENTS_ALONE = 'The filter was evaluated for documents alone.';
const STILL_BROAD = 'A broad filter is evaluated before a statement is built.';

/** Sets as they are asked in memory, by the set as statements take it. */
const asked = new WeakMap<NumberSet, ReadonlySet<number>>();

/** True: the set holds the number. */
const inNumberSet = (set: NumberSet): ((n: number) => boolean) => {
  const numbers: ReadonlySet<number> = asked.get(set) ?? new Set<number>(JSON.parse(set.ns));
  asked.set(set, numbers);
  return (n) => numbers.has(n) === set.listed;
};

/** True: the filter allows the unit; its number is that of its document, or of the memory itself. */
export const allowsUnit = (
  { documents, memories }: FilterNumbers,
  kind: UnitKind,
): ((n: number) => boolean) => {
  if (kind === 'chunks') return inNumberSet(documents);
  if (memories === null) throw new Error(DOCUMENTS_ALONE);
  return inNumberSet(memories);
};

/** The restriction of a query that has nothing else to narrow it. */
export const onlyAllowed = ({ allowed }: { readonly allowed?: FilterNumbers }): EvaluatedRestriction =>
  allowed === undefined ? {} : { allowed };

const isAllowed = (n: RawBuilder<unknown>, { listed, ns }: NumberSet): RawBuilder<SqlBool> =>
  sql`(${n} ${sql.raw(listed ? 'in' : 'not in')} ${numberList(ns)})`;

/** Documents whose memories are missing or incomplete. */
const unspokenDocuments = (n: RawBuilder<number>, reach: Reach): RawBuilder<SqlBool> =>
  sql`(${n} in (select doc from documents_unspoken) or ${n} in (
    with visible_waiting as (select n, container from documents where ${sql.raw(LIVING_TEXT)} and memory_state = 'waiting')
    select n from visible_waiting where ${inReach(reach)}))`;

/** The chunks of such a document that were not read, or all of them if reading gave no memories. */
export const UNSPOKEN_CHUNK = sql<SqlBool>`(read_for_memories = 0 or doc in (select doc from documents_unspoken))`;

/** Each name through its own index: with "or", SQLite would use neither. */
const namedDocuments = (name: string): RawBuilder<number> =>
  sql`(select n from visible where id = ${name} union all select n from visible where custom_id = ${name})`;

/** The restriction over the columns of `visible` under the given alias. */
export const documentRestriction = (
  reach: Reach,
  restriction: EvaluatedRestriction,
  alias: string,
): RawBuilder<SqlBool> => {
  if (restriction.broad) throw new Error(STILL_BROAD);
  const column = (name: string): RawBuilder<never> => sql.ref(`${alias}.${name}`);
  const parts: RawBuilder<SqlBool>[] = [];
  if (restriction.allTags)
    parts.push(sql`${column('container')} in ${containersWithAll(restriction.allTags)}`);
  if (restriction.document !== undefined)
    parts.push(sql`${column('n')} in ${namedDocuments(restriction.document)}`);
  if (restriction.filepath !== undefined) parts.push(underPath(column('filepath'), restriction.filepath));
  if (restriction.unspoken) parts.push(unspokenDocuments(column('n'), reach));
  if (restriction.allowed) parts.push(isAllowed(column('n'), restriction.allowed.documents));
  return parts.length === 0 ? sql`true` : sql.join(parts, sql` and `);
};

/**
 * The restriction over `memories`: a memory belongs where its sources are, and has their metadata in addition to its own
 * (which stands in `document_meta` under the memory's number: documents never reach such numbers).
 */
export const memoryRestriction = (reach: Reach, restriction: EvaluatedRestriction): RawBuilder<SqlBool> => {
  const { allowed, units: _units, unspoken: _unspoken, ...places } = restriction;
  if (places.broad) throw new Error(STILL_BROAD);
  const parts: RawBuilder<SqlBool>[] = [];
  if (isRestricted(places))
    parts.push(sql`exists (select 1 from memory_sources inner join visible on visible.n = memory_sources.doc
      where memory_sources.memory = memories.n and ${documentRestriction(reach, places, 'visible')})`);
  if (allowed) {
    if (allowed.memories === null) throw new Error(DOCUMENTS_ALONE);
    parts.push(isAllowed(sql.ref('memories.n'), allowed.memories));
  }
  return parts.length === 0 ? sql`true` : sql.join(parts, sql` and `);
};

/** "/a/" is everything from "/a/" to before "/a0": the character after the slash. */
export const underPath = (column: RawBuilder<string>, path: string): RawBuilder<SqlBool> =>
  path.endsWith('/')
    ? sql`(${column} >= ${path} and ${column} < ${`${path.slice(0, -1)}0`})`
    : sql`${column} = ${path}`;

/** To the passages that stand in for memories, and to nothing else: every search of memories asks for them. */
export const ONLY_UNSPOKEN: EvaluatedRestriction = { unspoken: true };

export const isOnlyUnspoken = ({ unspoken, ...others }: EvaluatedRestriction): boolean =>
  unspoken === true && others.units !== 'memories' && !isRestricted(others);

/** A filter, and nothing else. */
export const isOnlyFiltered = ({ allowed, ...others }: EvaluatedRestriction): boolean =>
  allowed !== undefined && others.forgotten !== true && !isRestricted(others);

export const isRestricted = (restriction: EvaluatedRestriction): boolean =>
  restriction.allTags !== undefined ||
  restriction.document !== undefined ||
  restriction.filepath !== undefined ||
  restriction.allowed !== undefined ||
  restriction.broad !== undefined ||
  restriction.unspoken === true;
