// Finds near vectors: compares every one inside the restriction, or the candidates of the index and pending vectors.

import { sql } from '#kysely';
import { CONTAINER_SPAN, isMemoryNumber } from '../../../../core/chunks/chunk-number.ts';
import type { Reach } from '../../../../core/scope.ts';
import { engineOf } from '../../engine/engine.ts';
import { groupedNumbers, numberList } from '../../engine/lists.ts';
import { scopedTemplate } from '../../engine/template.ts';
import type { ScopeMeasure, VectorMatch } from '../../ports/search.ts';
import { evaluateAmong, evaluateIfFew, evaluateWhole } from '../../statements/evaluate-broad.ts';
import {
  allowsUnit,
  type EvaluatedRestriction,
  isOnlyUnspoken,
  ONLY_UNSPOKEN,
} from '../../statements/filters.ts';
import { liveNumbers } from '../../statements/live-memories.ts';
import { restrictedUnits, UNIT_NUMBERS, type UnitsDb, unitKindOf } from '../../statements/search-units.ts';
import { cheapestUnits, measureScope } from '../../statements/units-by-number.ts';
import type { Db } from '../../tables/tables.ts';
import { pendingUpserts } from '../spaces/vectors.ts';
import { documentsOfChunks } from './kept-units.ts';

/** The order of a cosine and its place are one number, because numbers are sorted ten times as fast as objects. */
const PLACES = 2 ** 16;
const COSINE_STEPS = 2 ** 35;
/** Stored vectors are rounded, so that a cosine may be a little above 1. */
const LARGEST_COSINE = 2;

/** The places of the nearest, nearest first. */
const nearestPlaces = (cosines: readonly number[], limit: number): number[] => {
  const keys = new Float64Array(cosines.length);
  for (const [place, cosine] of cosines.entries())
    keys[place] = Math.round((LARGEST_COSINE - cosine) * COSINE_STEPS) * PLACES + place;
  keys.sort();
  const places: number[] = [];
  for (let at = 0; at < Math.min(limit, keys.length); at++) places.push((keys[at] ?? 0) % PLACES);
  return places;
};

/** Keeps the best few of many without sorting them all. */
const createBestMatches = (limit: number) => {
  const most = Math.min(limit * 4, PLACES);
  let ns: number[] = [];
  let cosines: number[] = [];
  let floor = Number.NEGATIVE_INFINITY;
  const trim = () => {
    const best = nearestPlaces(cosines, limit);
    ns = best.map((place) => ns[place] ?? 0);
    cosines = best.map((place) => cosines[place] ?? 0);
    if (best.length === limit) floor = cosines.at(-1) ?? floor;
  };
  return {
    offer(n: number, cosine: number) {
      if (cosine <= floor) return;
      ns.push(n);
      cosines.push(cosine);
      if (ns.length >= most) trim();
    },
    take(): VectorMatch[] {
      trim();
      return ns.map((n, at) => ({ n, cosine: cosines[at] ?? 0 }));
    },
  };
};

interface SearchedUnits {
  readonly db: Db;
  readonly reach: Reach;
  readonly restriction: EvaluatedRestriction;
  readonly measure: ScopeMeasure;
}

/** In one row: a row for each number would take twice as long. */
const numbersOf = (units: UnitsDb) =>
  units
    .selectFrom('visible_units')
    .select(groupedNumbers(sql.ref('n')).as('ns'))
    // A table of which nothing but the number is read counts as read outside the view.
    .select(({ fn }) => fn.max('doc').as('doc'));

const unspokenNumbers = scopedTemplate((db, reach) => numbersOf(restrictedUnits(db, reach, ONLY_UNSPOKEN)));

const readSurvivors = (
  { db, reach, restriction, measure }: SearchedUnits,
  ns: readonly number[] | undefined,
) => {
  if (ns === undefined && isOnlyUnspoken(restriction)) return unspokenNumbers(db, reach, {});
  const query = numbersOf(cheapestUnits(db, reach, restriction, measure));
  return (ns ? query.where('n', 'in', numberList(ns)) : query).execute();
};

/** The numbers in whole containers that the filter allows. */
export const filteredNumbers = async (units: SearchedUnits): Promise<readonly number[]> => {
  const { db, reach, restriction } = units;
  if (restriction.allowed === undefined) return [];
  const kind = unitKindOf(restriction);
  const isAllowed = allowsUnit(restriction.allowed, kind);
  if (kind === 'memories') return (await liveNumbers(db, reach, Date.now())).filter(isAllowed);
  return [...(await documentsOfChunks(units))].flatMap(([n, document]) => (isAllowed(document) ? [n] : []));
};

const survivors = async (units: SearchedUnits, ns?: readonly number[]): Promise<readonly number[]> => {
  const { db, reach, restriction, measure } = units;
  const isWhole = measure.byNumber && ns === undefined && !restriction.forgotten;
  if (isWhole && unitKindOf(restriction) === 'memories') return liveNumbers(db, reach, Date.now());
  if (measure.byDocument && ns === undefined) return filteredNumbers(units);
  const [row] = await readSurvivors(units, ns);
  return JSON.parse(row?.ns ?? '[]');
};

interface ScanRequest {
  readonly space: number;
  readonly vector: Float32Array;
  readonly limit: number;
  readonly measure?: ScopeMeasure;
  /** Some of the scope. Default: all. */
  readonly containers?: readonly number[];
}

/** Each of them is small, so that one read holds no more than a scope that is compared exactly. */
const CONTAINERS_PER_READ = 256;

/** The few that were compared are asked for what a number alone does not show. */
const scanContainers = async (
  units: SearchedUnits,
  { space, vector, limit }: ScanRequest,
  containers: readonly number[],
): Promise<VectorMatch[]> => {
  const { db, restriction, measure } = units;
  const best = createBestMatches(limit);
  const kind = unitKindOf(restriction);
  const [from, to] = UNIT_NUMBERS[kind];
  const cosines = new Map<number, number>();
  for (let at = 0; at < containers.length; at += CONTAINERS_PER_READ) {
    const some = { space, containers: containers.slice(at, at + CONTAINERS_PER_READ), from, to };
    await engineOf(db).vectors.compareContainers(db, some, vector, (n, cosine) => cosines.set(n, cosine));
  }
  const compared = [...cosines.keys()];
  const isShown = measure.byNumber && kind === 'chunks';
  const { reach } = units;
  const narrow = { ...units, restriction: await evaluateAmong(db, reach, restriction, compared) };
  for (const n of isShown ? compared : await survivors(narrow, compared)) best.offer(n, cosines.get(n) ?? 0);
  return best.take();
};

export const scanVectors = async (
  db: Db,
  reach: Reach,
  asked: EvaluatedRestriction,
  request: ScanRequest,
): Promise<VectorMatch[]> => {
  const best = createBestMatches(request.limit);
  const { space, vector, measure = await measureScope(db, reach, asked) } = request;
  if (request.containers !== undefined)
    return scanContainers({ db, reach, restriction: asked, measure }, request, request.containers);
  const restriction = await evaluateWhole(db, reach, await evaluateIfFew(db, reach, asked));
  const { containers, byNumber } = measure;
  const { compareRange, compareChunks } = engineOf(db).vectors;
  const whole = unitKindOf(restriction) === 'chunks' && byNumber;
  if (whole && reach.reads === null)
    await compareRange(db, { space, from: 0, to: Number.MAX_SAFE_INTEGER }, vector, (n, cosine) => {
      if (!isMemoryNumber(n)) best.offer(n, cosine);
    });
  else if (whole && containers !== null) {
    const [from, to] = UNIT_NUMBERS.chunks;
    for (const base of containers.map((container) => container * CONTAINER_SPAN))
      await compareRange(db, { space, from: base + from, to: base + to }, vector, best.offer);
  } else
    await compareChunks(
      db,
      { space, ns: await survivors({ db, reach, restriction, measure }) },
      vector,
      best.offer,
    );
  return best.take();
};

export const pendingVectors = async (
  db: Db,
  _reach: Reach,
  space: number,
  limit: number,
): Promise<number[] | null> => {
  const ns = await pendingUpserts(db, space, limit + 1);
  return ns.length > limit ? null : ns;
};

export const compareCandidates = async (
  db: Db,
  reach: Reach,
  asked: EvaluatedRestriction,
  request: { space: number; vector: Float32Array; candidates: readonly number[]; limit: number },
): Promise<VectorMatch[]> => {
  const best = createBestMatches(request.limit);
  const restriction = await evaluateAmong(db, reach, asked, request.candidates);
  const measure = await measureScope(db, reach, restriction);
  const ns = await survivors({ db, reach, restriction, measure }, request.candidates);
  await engineOf(db).vectors.compareChunks(db, { space: request.space, ns }, request.vector, best.offer);
  return best.take();
};
