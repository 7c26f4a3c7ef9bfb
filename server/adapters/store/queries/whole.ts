// Whole containers: as long as nothing in them is deleted, moved or left out, the number of a chunk alone tells whose it is,
// and no document has to be looked at. Candidates among memories are told by their numbers as well.
import { sql } from 'kysely';
import type { Reach } from '../../../lib/scope.ts';
import type { Restriction } from '../port.ts';
import { CONTAINER_SPAN, type Db } from '../tables.ts';
import { isRestricted } from './filters.ts';
import { run } from './raw.ts';
import { latestMemories, UNIT_COLUMNS, type UnitsDb, units, unitsOf } from './units.ts';
import { containersWithAny } from './visible.ts';

/** Documents that are deleted but not yet erased, or moved but not yet indexed again, still have their chunks and vectors. */
const OTHERS = `with visible_others as (
    select n from documents where deleted = 1 union all select n from documents where moved = 1)
  select n from visible_others limit 1`;

const holdOthers = async (db: Db): Promise<boolean> => (await run(db, OTHERS)).rows.length > 0;

/**
 * Memories are never told by their numbers alone, for they have versions and may be forgotten. But the documents behind
 * them need not be looked at: a memory that lost all of them is left out when it is read.
 */
export const isWhole = async (db: Db, restriction: Restriction): Promise<boolean> =>
  !isRestricted(restriction) && (unitsOf(restriction) === 'memories' || !(await holdOthers(db)));

const ofChunks = (db: Db, { reads }: Reach) =>
  db.with('visible_units', (query) => {
    const all = query.selectFrom('chunks').select(UNIT_COLUMNS);
    if (reads === null) return all;
    return all.where(sql<boolean>`n / ${sql.lit(CONTAINER_SPAN)} in ${containersWithAny(reads)}`);
  });

const ofMemories = (db: Db, { reads }: Reach, restriction: Restriction, now: number) =>
  db.with('visible_units', (query) => {
    const latest = latestMemories(query.selectFrom('memories'), restriction, now);
    return reads === null ? latest : latest.where('container', 'in', containersWithAny(reads));
  });

/** `visible_units` where `isWhole`. */
const wholeUnits = (db: Db, reach: Reach, restriction: Restriction, now = Date.now()): UnitsDb =>
  (unitsOf(restriction) === 'chunks'
    ? ofChunks(db, reach)
    : ofMemories(db, reach, restriction, now)) as unknown as UnitsDb;

/** The same `visible_units` either way; without looking at documents where that can be. */
export const cheapestUnits = async (db: Db, reach: Reach, restriction: Restriction): Promise<UnitsDb> =>
  (await isWhole(db, restriction)) ? wholeUnits(db, reach, restriction) : units(db, reach, restriction);
