// Whole containers: while nothing in them is deleted, moved or excluded, the number of a chunk alone shows its container,
// and no document has to be read. Candidates among memories are recognised by their numbers as well.
import { sql } from 'kysely';
import { CONTAINER_SPAN } from '../../../core/chunks/chunk-number.ts';
import type { Reach } from '../../../core/scope.ts';
import { engineOf, everywhere } from '../engine/engine.ts';
import { run } from '../engine/run.ts';
import type { ScopeMeasure } from '../ports/search.ts';
import type { Db } from '../tables/tables.ts';
import { type EvaluatedRestriction, isOnlyFiltered, isRestricted } from './filters.ts';
import { containersWithAny } from './scoped-views.ts';
import {
  latestMemories,
  type MoreColumns,
  restrictedUnits,
  UNIT_COLUMNS,
  type UnitOptions,
  type UnitsDb,
  unitKindOf,
} from './search-units.ts';
import { scopeTotals } from './totals.ts';

/** Documents that are hidden, deleted but not yet erased, or moved but not yet indexed again, still have their chunks and vectors. */
const LEAVING_DOCUMENTS = `with visible_others as (
    select n from documents where deleted = 1 union all select n from documents where moved = 1
    union all select doc from documents_hidden)
  select n from visible_others limit 1`;

const anyDocumentLeaving = async (db: Db): Promise<boolean> =>
  (await run(everywhere(db), LEAVING_DOCUMENTS)).rows.length > 0;

/**
 * Memories are never selected by their numbers alone, because they have versions and may be forgotten. But their documents
 * need not be read: a memory without documents is dropped later, when it is read.
 */
const nothingIsLeaving = async (db: Db, restriction: EvaluatedRestriction): Promise<boolean> =>
  unitKindOf(restriction) === 'memories' || !(await anyDocumentLeaving(db));

/** A database that is asked over a network restricts by itself. */
const isFilteredInMemory = (db: Db, restriction: EvaluatedRestriction): boolean =>
  isOnlyFiltered(restriction) && !engineOf(db).isRemote;

/** Beyond this many units a database finds those that a filter allows sooner. */
const MOST_FILTERED_IN_MEMORY = 8_000;

/** The totals of the scope, and whether its units can be read by their numbers. */
export const measureScope = async (
  db: Db,
  reach: Reach,
  restriction: EvaluatedRestriction,
): Promise<ScopeMeasure & { memories: number }> => {
  const isWhole = !isRestricted(restriction);
  const isFiltered = isFilteredInMemory(db, restriction);
  // At the same time: a database server answers both in the time of one.
  const [totals, isSettled] = await Promise.all([
    scopeTotals(db, reach, unitKindOf(restriction)),
    (isWhole || isFiltered) && nothingIsLeaving(db, restriction),
  ]);
  return {
    ...totals,
    byNumber: isSettled && isWhole,
    byDocument: isSettled && isFiltered && reach.reads !== null && totals.chunks <= MOST_FILTERED_IN_MEMORY,
  };
};

const chunksByContainer = (db: Db, { reads }: Reach, more: MoreColumns) =>
  db.with('visible_units', (query) => {
    const all = query
      .selectFrom('chunks')
      .select(UNIT_COLUMNS)
      .select(more.map((column) => sql.ref(column).as(column)));
    if (reads === null) return all;
    // Without `is true` PostgreSQL joins, and looks up the tags of each chunk.
    return all.where(sql<boolean>`(n / ${sql.lit(CONTAINER_SPAN)} in ${containersWithAny(reads)}) is true`);
  });

const memoriesByContainer = (
  db: Db,
  { reads }: Reach,
  restriction: EvaluatedRestriction,
  { now, more }: Required<UnitOptions>,
) =>
  db.with('visible_units', (query) => {
    const latest = latestMemories(query.selectFrom('memories'), restriction, now, more);
    return reads === null ? latest : latest.where('container', 'in', containersWithAny(reads));
  });

/** `visible_units` where `isReadableByNumber`. */
export const unitsByContainer = (
  db: Db,
  reach: Reach,
  restriction: EvaluatedRestriction,
  { now = Date.now(), more = [] }: UnitOptions = {},
): UnitsDb =>
  (unitKindOf(restriction) === 'chunks'
    ? chunksByContainer(db, reach, more)
    : memoriesByContainer(db, reach, restriction, { now, more })) as unknown as UnitsDb;

/** The same `visible_units` in both ways; without reading documents if possible. */
export const cheapestUnits = (
  db: Db,
  reach: Reach,
  restriction: EvaluatedRestriction,
  { byNumber, more = [] }: Pick<ScopeMeasure, 'byNumber'> & Pick<UnitOptions, 'more'>,
): UnitsDb => (byNumber ? unitsByContainer : restrictedUnits)(db, reach, restriction, { more });
