// Memories that something new may repeat, change or add to: by slot, by what they are about, and the nearest.
import type { MemoryJob, StoredMemory } from '../memory-port.ts';
import { CONTAINER_SPAN, type Db, MEMORY_OFFSET } from '../tables.ts';
import { mayServe } from './context.ts';
import { saidOf } from './memory-chain.ts';
import { isLive, type MemoryRow } from './memory-rows.ts';
import { compareRange } from './vectors.ts';
import { inList } from './visible.ts';

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

const storedOf = (row: Pick<MemoryRow, (typeof STORED)[number]>): StoredMemory => ({
  id: row.id,
  n: row.n,
  memory: row.memory,
  isStatic: row.is_static === 1,
  slot: row.slot,
  about: row.about,
  updatedAt: row.updated_at,
  ...saidOf(row),
});

const nearestNumbers = async (
  db: Db,
  container: number,
  nearest: { space: number; vectors: readonly Float32Array[]; limit: number },
): Promise<number[]> => {
  const best = new Map<number, number>();
  const from = container * CONTAINER_SPAN + MEMORY_OFFSET;
  for (const vector of nearest.vectors)
    await compareRange(db, nearest.space, from, from + MEMORY_OFFSET, vector, (n, cosine) => {
      best.set(n, Math.max(best.get(n) ?? -1, cosine));
    });
  return [...best]
    .sort((a, b) => b[1] - a[1])
    .slice(0, nearest.limit)
    .map(([n]) => n);
};

export const known = async (
  db: Db,
  { container, contextFilter }: Pick<MemoryJob, 'container' | 'contextFilter'>,
  wanted: { slots: readonly string[]; abouts: readonly string[]; ids?: readonly string[] },
  nearest: { space: number; vectors: readonly Float32Array[]; limit: number } | null,
  now: number,
): Promise<StoredMemory[]> => {
  const near = nearest ? await nearestNumbers(db, container, nearest) : [];
  const rows = await db
    .selectFrom('memories')
    .select(STORED)
    .where('container', '=', container)
    .where(isLive(now))
    .where(mayServe(container, contextFilter))
    .where((eb) =>
      eb.or([
        eb('slot', 'in', inList(wanted.slots)),
        eb('about', 'in', inList(wanted.abouts)),
        eb('id', 'in', inList(wanted.ids ?? [])),
        eb('n', 'in', inList(near)),
      ]),
    )
    .orderBy('updated_at', 'desc')
    .limit(500)
    .execute();
  return rows.map(storedOf);
};
