// A broad filter in a search: it is evaluated for the documents or memories that the rest of the restriction allows if they are
// few, or else for those that the search has found. All that it allows are listed only where both find too little.
import type { Reach } from '../../../core/scope.ts';
import { numberList } from '../engine/lists.ts';
import type { Db } from '../tables/tables.ts';
import { evaluateFilter, evaluateFilterAmong } from './evaluate-filter.ts';
import { documentRestriction, type EvaluatedRestriction, isRestricted } from './filters.ts';
import { visible } from './scoped-views.ts';
import { fewUnits, restrictedUnits, unitKindOf } from './search-units.ts';
import { scopeTotals } from './totals.ts';

/** Its filter, if it has one, is listed. */
export type NarrowRestriction = Omit<EvaluatedRestriction, 'broad'> & { readonly broad?: never };

export const isBroad = ({ broad }: EvaluatedRestriction): boolean => broad !== undefined;

/** The documents of chunks, or the memories themselves, that the restriction allows among these. */
const unitsAmong = async (
  db: Db,
  reach: Reach,
  rest: NarrowRestriction,
  ns: readonly number[],
): Promise<number[]> => {
  const rows = await restrictedUnits(db, reach, rest)
    .selectFrom('visible_units')
    .select('doc')
    .distinct()
    .where('n', 'in', numberList(ns))
    .execute();
  return rows.map(({ doc }) => doc);
};

/** For these chunks or memories alone. */
export const evaluateAmong = async (
  db: Db,
  reach: Reach,
  restriction: EvaluatedRestriction,
  ns: readonly number[],
): Promise<NarrowRestriction> => {
  const { broad, ...rest } = restriction;
  if (broad === undefined) return rest;
  const found = await unitsAmong(db, reach, rest, ns);
  return { ...rest, allowed: await evaluateFilterAmong(db, reach, broad.filter, found) };
};

/** For everything in the scope. */
export const evaluateWhole = async (
  db: Db,
  reach: Reach,
  restriction: EvaluatedRestriction,
): Promise<NarrowRestriction> => {
  const { broad, ...rest } = restriction;
  if (broad === undefined) return rest;
  return { ...rest, allowed: await evaluateFilter(db, reach, broad.filter, true) };
};

const fewDocuments = async (
  db: Db,
  reach: Reach,
  rest: NarrowRestriction,
  most: number,
): Promise<number[] | null> => {
  const rows = await visible(db, reach)
    .selectFrom('visible')
    .select('n')
    .where(documentRestriction(reach, rest, 'visible'))
    .limit(most + 1)
    .execute();
  return rows.length > most ? null : rows.map(({ n }) => n);
};

/** The documents or memories of the scope that the rest of the restriction allows; null: more than `most`. */
const allowedByRest = async (
  db: Db,
  reach: Reach,
  rest: NarrowRestriction,
  most: number,
): Promise<number[] | null> => {
  if (unitKindOf(rest) === 'memories') return fewUnits(db, reach, rest, most);
  const mayBeFew = isRestricted(rest) || (await scopeTotals(db, reach, 'chunks')).chunks <= most;
  return mayBeFew ? fewDocuments(db, reach, rest, most) : null;
};

/** Still broad where the scope and the rest of the restriction allow much. */
export const evaluateIfFew = async (
  db: Db,
  reach: Reach,
  restriction: EvaluatedRestriction,
  few = 0,
): Promise<EvaluatedRestriction> => {
  const { broad, ...rest } = restriction;
  if (broad === undefined) return rest;
  const ns = await allowedByRest(db, reach, rest, Math.max(few, broad.most));
  if (ns === null) return restriction;
  return { ...rest, allowed: await evaluateFilterAmong(db, reach, broad.filter, ns) };
};
