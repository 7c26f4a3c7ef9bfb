// Which vectors are near: every surviving one compared, or the candidates of the index and what it lacks.
import { sql } from 'kysely';
import type { Reach } from '../../../lib/scope.ts';
import type { Restriction, VectorMatch } from '../port.ts';
import type { Db } from '../tables.ts';
import { totalsOf } from './extent.ts';
import { isRestricted, restricted } from './filters.ts';
import { compareAll, compareChunks, compareContainer, pendingUpserts } from './vectors.ts';
import { inList, visible } from './visible.ts';

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
  let query = visible(db, reach).selectFrom('visible_chunks as c').select('c.n');
  if (ns) query = query.where('c.n', 'in', inList(ns));
  if (isRestricted(restriction))
    query = query.where('c.doc', 'in', (sub) =>
      sub
        .selectFrom('visible')
        .select('n')
        .where(restricted(reach, restriction, 'visible')),
    );
  return (await query.execute()).map((row) => row.n);
};

/** Blocks hold vectors of others: of documents deleted but not yet erased, or moved but not yet indexed again. */
const othersInBlocks = async (db: Db): Promise<boolean> => {
  const { rows } = await sql`with visible_others as (
      select n from documents where deleted = 1 union all select n from documents where moved = 1)
    select n from visible_others limit 1`.execute(db);
  return rows.length > 0;
};

export const scan = async (
  db: Db,
  reach: Reach,
  restriction: Restriction,
  request: { space: number; vector: Float32Array; limit: number },
): Promise<VectorMatch[]> => {
  const best = bestOf(request.limit);
  const { space, vector } = request;
  const { containers } = await totalsOf(db, reach);
  const whole = !isRestricted(restriction) && !(await othersInBlocks(db));
  if (whole && reach.reads === null) await compareAll(db, space, vector, best.offer);
  else if (whole && containers !== null)
    for (const container of containers) await compareContainer(db, space, container, vector, best.offer);
  else await compareChunks(db, space, await survivors(db, reach, restriction), vector, best.offer);
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
