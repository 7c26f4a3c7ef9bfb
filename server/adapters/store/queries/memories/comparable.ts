// Finds memories that a new statement may repeat, change or extend: by slot, by subject, and by nearest vectors.
import { sql } from '#kysely';
import { CONTAINER_SPAN, MEMORY_OFFSET } from '../../../../core/chunks/chunk-number.ts';
import { engineOf } from '../../engine/engine.ts';
import { numberList, textList } from '../../engine/lists.ts';
import { template } from '../../engine/template.ts';
import type { MemoryJob, StoredMemory } from '../../ports/memories/remembering.ts';
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

/** The parameters of the statement; the lists as JSON. */
interface Compared {
  readonly container: number;
  readonly slots: string;
  readonly abouts: string;
  readonly ids: string;
  readonly near: string;
  readonly now: number;
}

/** A select for each kind of likeness: one with all kinds together reads every memory of the container. */
const comparableNumbers = (db: Db, { container, slots, abouts, ids, near }: Compared) => {
  const inContainer = db.selectFrom('memories').select('n').where('container', '=', container);
  const latest = inContainer.where('is_latest', '=', sql.lit(1));
  return latest
    .where('slot', 'in', textList(slots))
    .where('slot', 'is not', null)
    .unionAll(latest.where('about', 'in', textList(abouts)).where('about', 'is not', null))
    .unionAll(inContainer.where('id', 'in', textList(ids)))
    .unionAll(inContainer.where('n', 'in', numberList(near)));
};

const comparable = (db: Db, compared: Compared) =>
  db
    .selectFrom('memories')
    .select(STORED)
    .where('n', 'in', comparableNumbers(db, compared))
    .where(isLive(compared.now))
    .orderBy('updated_at', 'desc')
    .limit(500);

/** For every document that is read, several times: most have no filter. */
const unfiltered = template((db, at: (name: keyof Compared) => never) =>
  comparable(db, {
    ...{ container: at('container'), slots: at('slots'), abouts: at('abouts') },
    ...{ ids: at('ids'), near: at('near'), now: at('now') },
  }),
);

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
  const { container, contextFilter, nearest, wanted } = request;
  const { slots, abouts, ids = [] } = wanted;
  const near = nearest ? await nearestNumbers(db, container, nearest) : [];
  if ([slots, abouts, ids, near].every((list) => list.length === 0)) return [];
  const compared: Compared = {
    ...{ container, slots: JSON.stringify(slots), abouts: JSON.stringify(abouts) },
    ...{ ids: JSON.stringify(ids), near: JSON.stringify(near), now },
  };
  const rows =
    contextFilter === null
      ? await unfiltered(db, { ...compared })
      : await comparable(db, compared).where(mayServeAsContext(container, contextFilter)).execute();
  return rows.map(storedMemory);
};
