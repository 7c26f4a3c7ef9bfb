// Whole containers: as long as nothing in them is deleted, moved or left out, the number of a chunk alone tells whose it is,
// and no document has to be looked at.
import { sql } from 'kysely';
import type { Reach } from '../../../lib/scope.ts';
import type { Restriction } from '../port.ts';
import { CONTAINER_SPAN, type Db } from '../tables.ts';
import { isRestricted } from './filters.ts';
import { UNIT_COLUMNS, type UnitsDb, unitsOf } from './units.ts';
import { containersWithAny } from './visible.ts';

/** Documents that are deleted but not yet erased, or moved but not yet indexed again, still have their chunks and vectors. */
const holdOthers = async (db: Db): Promise<boolean> => {
  const { rows } = await sql`with visible_others as (
      select n from documents where deleted = 1 union all select n from documents where moved = 1)
    select n from visible_others limit 1`.execute(db);
  return rows.length > 0;
};

/** Memories have versions and may be forgotten, so that their numbers alone never tell what counts. */
export const isWhole = async (db: Db, restriction: Restriction): Promise<boolean> =>
  unitsOf(restriction) === 'chunks' && !isRestricted(restriction) && !(await holdOthers(db));

/** `visible_units` where `isWhole`. */
export const wholeUnits = (db: Db, { reads }: Reach): UnitsDb =>
  db.with('visible_units', (query) => {
    const all = query.selectFrom('chunks').select(UNIT_COLUMNS);
    if (reads === null) return all;
    return all.where(sql<boolean>`n / ${sql.lit(CONTAINER_SPAN)} in ${containersWithAny(reads)}`);
  }) as unknown as UnitsDb;
