// Finds memories that a new statement may repeat, change or extend: by slot, by subject, and by nearest vectors.
import { sql } from 'kysely';
import { CONTAINER_SPAN, MEMORY_OFFSET } from '../../../../core/chunk-number.ts';
import { engineOf } from '../../engine/engine.ts';
import { numberList, textList } from '../../engine/lists.ts';
import type { MemoryJob, StoredMemory } from '../../ports/remembering.ts';
import { isLive, type MemoryRow } from '../../statements/memory-rows.ts';
import type { Db } from '../../tables/tables.ts';
import { mayServeAsContext } from './context-filter.ts';
import { spokenTime } from './versions.ts';

const STORED = [
  'id',
  'n',
  'memory',
  'is_static',
  'slot',
  'about',
  'updated_at',
  'said_at',
  'heard_at',
] as const;

const storedMemory = (row: Pick<MemoryRow, (typeof STORED)[number]>): StoredMemory => ({
  id: row.id,
  n: row.n,
  memory: row.memory,
  isStatic: row.is_static === 1,
  slot: row.slot,
  about: row.about,
  updatedAt: row.updated_at,
  ...spokenTime(row),
});

const nearestNumbers = async (
  db: Db,
  container: number,
  nearest: { space: number; vectors: readonly Float32Array[]; limit: number },
): Promise<number[]> => {
  const best = new Map<number, number>();
  const from = container * CONTAINER_SPAN + MEMORY_OFFSET;
  const range = { space: nearest.space, from, to: from + MEMORY_OFFSET };
  for (const vector of nearest.vectors)
    await engineOf(db).vectors.compareRange(db, range, vector, (n, cosine) => {
      best.set(n, Math.max(best.get(n) ?? -1, cosine));
    });
  return [...best]
    .sort((a, b) => b[1] - a[1])
    .slice(0, nearest.limit)
    .map(([n]) => n);
};

/** A select for each kind of likeness: one with all kinds together reads every memory of the container. */
const comparableNumbers = (db: Db, { container, wanted }: ComparableRequest, near: readonly number[]) => {
  const inContainer = db.selectFrom('memories').select('n').where('container', '=', container);
  const latest = inContainer.where('is_latest', '=', sql.lit(1));
  return latest
    .where('slot', 'in', textList(wanted.slots))
    .where('slot', 'is not', null)
    .unionAll(latest.where('about', 'in', textList(wanted.abouts)).where('about', 'is not', null))
    .unionAll(inContainer.where('id', 'in', textList(wanted.ids ?? [])))
    .unionAll(inContainer.where('n', 'in', numberList(near)));
};

/** Selects the memories to compare with. */
export interface ComparableRequest extends Pick<MemoryJob, 'container' | 'contextFilter'> {
  wanted: { slots: readonly string[]; abouts: readonly string[]; ids?: readonly string[] };
  nearest?: { space: number; vectors: readonly Float32Array[]; limit: number } | null;
}

export const findComparableMemories = async (
  db: Db,
  request: ComparableRequest,
  now: number,
): Promise<StoredMemory[]> => {
  const { container, contextFilter, nearest } = request;
  const near = nearest ? await nearestNumbers(db, container, nearest) : [];
  const rows = await db
    .selectFrom('memories')
    .select(STORED)
    .where('n', 'in', comparableNumbers(db, request, near))
    .where(isLive(now))
    .where(mayServeAsContext(container, contextFilter))
    .orderBy('updated_at', 'desc')
    .limit(500)
    .execute();
  return rows.map(storedMemory);
};
