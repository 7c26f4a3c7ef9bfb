// Which vectors are near: every surviving one compared, or the candidates of the index and what it lacks.
import type { Reach } from '../../../lib/scope.ts';
import type { Restriction, VectorMatch } from '../port.ts';
import { CONTAINER_SPAN, type Db, isMemoryNumber } from '../tables.ts';
import { totalsOf } from './extent.ts';
import { RANGE, unitsOf } from './units.ts';
import { compareChunks, compareRange, pendingUpserts } from './vectors.ts';
import { inList } from './visible.ts';
import { cheapestUnits, isWhole } from './whole.ts';

/** Keeps the best few of many without sorting them all. */
const bestOf = (limit: number) => {
  let kept: VectorMatch[] = [];
  let floor = Number.NEGATIVE_INFINITY;
  const trim = () => {
    kept = kept.sort((a, b) => b.cosine - a.cosine).slice(0, limit);
    if (kept.length === limit) floor = kept.at(-1)?.cosine ?? floor;
  };
  return {
    offer(n: number, cosine: number) {
      if (cosine <= floor) return;
      kept.push({ n, cosine });
      if (kept.length >= limit * 4) trim();
    },
    take(): VectorMatch[] {
      trim();
      return kept;
    },
  };
};

const survivors = async (
  db: Db,
  reach: Reach,
  restriction: Restriction,
  ns?: readonly number[],
): Promise<number[]> => {
  const all = await cheapestUnits(db, reach, restriction);
  // Two columns: SQLite counts a table of which nothing but the number is read as read outside the view.
  const query = all.selectFrom('visible_units').select(['n', 'doc']);
  const rows = await (ns ? query.where('n', 'in', inList(ns)) : query).execute();
  return rows.map((row) => row.n);
};

export const scan = async (
  db: Db,
  reach: Reach,
  restriction: Restriction,
  request: { space: number; vector: Float32Array; limit: number },
): Promise<VectorMatch[]> => {
  const best = bestOf(request.limit);
  const { space, vector } = request;
  const kind = unitsOf(restriction);
  const { containers } = await totalsOf(db, reach, kind);
  const whole = kind === 'chunks' && (await isWhole(db, restriction));
  if (whole && reach.reads === null)
    await compareRange(db, space, 0, Number.MAX_SAFE_INTEGER, vector, (n, cosine) => {
      if (!isMemoryNumber(n)) best.offer(n, cosine);
    });
  else if (whole && containers !== null) {
    const [from, to] = RANGE.chunks;
    for (const base of containers.map((container) => container * CONTAINER_SPAN))
      await compareRange(db, space, base + from, base + to, vector, best.offer);
  } else await compareChunks(db, space, await survivors(db, reach, restriction), vector, best.offer);
  return best.take();
};

export const pending = async (
  db: Db,
  _reach: Reach,
  space: number,
  limit: number,
): Promise<number[] | null> => {
  const ns = await pendingUpserts(db, space, limit + 1);
  return ns.length > limit ? null : ns;
};

export const compare = async (
  db: Db,
  reach: Reach,
  restriction: Restriction,
  request: { space: number; vector: Float32Array; candidates: readonly number[]; limit: number },
): Promise<VectorMatch[]> => {
  const best = bestOf(request.limit);
  const allowed = await survivors(db, reach, restriction, request.candidates);
  await compareChunks(db, request.space, allowed, request.vector, best.offer);
  return best.take();
};
