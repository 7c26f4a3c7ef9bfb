// Whole containers: while nothing in them is deleted, moved or excluded, the number of a chunk alone shows its container,
// and no document has to be read. Candidates among memories are recognised by their numbers as well.
import { sql } from '#kysely';
import { CONTAINER_SPAN } from '../../../core/chunks/chunk-number.ts';
import type { Reach } from '../../../core/scope.ts';
import { engineOf, everywhere, inOneTrip } from '../engine/engine.ts';
import { run } from '../engine/run.ts';
import type { ScopeMeasure } from '../ports/search.ts';
import type { Db } from '../tables/tables.ts';
import { type EvaluatedRestriction, isOnlyFiltered, isRestricted } from './filters.ts';
import { containersWithAny } from './scoped-views.ts';
import {
  CHUNK_VERSION,
  latestMemories,
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

const tagNumbersOf = async (db: Db, { reads }: Reach): Promise<number[] | null> => {
  if (reads === null) return null;
  const tags = 'select n from tags where tag in (select value from text_list($1))';
  const { rows } = await run<{ n: number }>(db, tags, [JSON.stringify(reads)]);
  return rows.map(({ n }) => n);
};

/** The totals of the scope, and whether its units can be read by their numbers. */
export const measureScope = async (
  db: Db,
  reach: Reach,
  restriction: EvaluatedRestriction,
): Promise<ScopeMeasure & { memories: number }> => {
  const isWhole = !isRestricted(restriction);
  const isFiltered = isFilteredInMemory(db, restriction);
  const [totals, isSettled, tagNumbers] = await inOneTrip(db, () =>
    Promise.all([
      scopeTotals(db, reach, unitKindOf(restriction)),
      (isWhole || isFiltered) && nothingIsLeaving(db, restriction),
      tagNumbersOf(db, reach),
    ]),
  );
  return {
    ...{ ...totals, tagNumbers },
    byNumber: isSettled && isWhole,
    byDocument: isSettled && isFiltered && reach.reads !== null && totals.chunks <= MOST_FILTERED_IN_MEMORY,
  };
};

const chunksByContainer = (db: Db, { reads }: Reach, versioned: boolean) =>
  db.with('visible_units', (query) => {
    const all = query
      .selectFrom('chunks')
      .select(UNIT_COLUMNS)
      .$if(versioned, (units) => units.select(CHUNK_VERSION));
    if (reads === null) return all;
    // Without `is true` PostgreSQL joins, and looks up the tags of each chunk.
    return all.where(sql<boolean>`(n / ${sql.lit(CONTAINER_SPAN)} in ${containersWithAny(reads)}) is true`);
  });

const memoriesByContainer = (
  db: Db,
  { reads }: Reach,
  restriction: EvaluatedRestriction,
  { now, versioned }: Required<UnitOptions>,
) =>
  db.with('visible_units', (query) => {
    const latest = latestMemories(query.selectFrom('memories'), restriction, now, versioned);
    return reads === null ? latest : latest.where('container', 'in', containersWithAny(reads));
  });

/** `visible_units` where `isReadableByNumber`. */
export const unitsByContainer = (
  db: Db,
  reach: Reach,
  restriction: EvaluatedRestriction,
  { now = Date.now(), versioned = false }: UnitOptions = {},
): UnitsDb =>
  (unitKindOf(restriction) === 'chunks'
    ? chunksByContainer(db, reach, versioned)
    : memoriesByContainer(db, reach, restriction, { now, versioned })) as unknown as UnitsDb;

/** The same `visible_units` in both ways; without reading documents if possible. */
export const cheapestUnits = (
  db: Db,
  reach: Reach,
  restriction: EvaluatedRestriction,
  { byNumber, versioned = false }: Pick<ScopeMeasure, 'byNumber'> & Pick<UnitOptions, 'versioned'>,
): UnitsDb => (byNumber ? unitsByContainer : restrictedUnits)(db, reach, restriction, { versioned });
