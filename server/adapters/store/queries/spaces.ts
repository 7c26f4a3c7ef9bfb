// Embedding spaces: which vectors exist, which serve, which are being filled.
import { sql } from 'kysely';
import { SLOTS } from '../../../lib/vectors/code.ts';
import type { Calibration, SpaceRecord } from '../port.ts';
import type { Db } from '../tables.ts';
import { eraseVectors } from './vectors.ts';

export const listSpaces = async (db: Db): Promise<SpaceRecord[]> => {
  const rows = await db.selectFrom('spaces').selectAll().orderBy('id').execute();
  return rows.map((row) => ({
    id: row.id,
    embedder: row.embedder,
    model: row.model,
    dimensions: row.dimensions,
    state: row.state,
    calibration: row.calibration === null ? null : JSON.parse(row.calibration),
  }));
};

export const createSpace = async (
  tx: Db,
  space: Omit<SpaceRecord, 'id'>,
  now: number,
): Promise<SpaceRecord> => {
  const { id } = await tx
    .insertInto('spaces')
    .values({
      embedder: space.embedder,
      model: space.model,
      dimensions: space.dimensions,
      state: space.state,
      calibration: space.calibration === null ? null : JSON.stringify(space.calibration),
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { ...space, id };
};

export const calibrateSpace = async (tx: Db, id: number, calibration: Calibration): Promise<void> => {
  await tx
    .updateTable('spaces')
    .set({ calibration: JSON.stringify(calibration) })
    .where('id', '=', id)
    .execute();
};

/** Everything that has a vector: passages and memories. */
const UNITS = sql`(select n from chunks union all select n from memories)`;

/** A chunk or memory has a vector when its slot lies inside the block and the scale at its head is not zero. */
const withoutVector = (space: number, dimensions: number) => sql`not exists (
  select 1 from vector_blocks where vector_blocks.space = ${space} and vector_blocks.block = units.n / ${sql.lit(SLOTS)}
    and length(vector_blocks.data) > (units.n % ${sql.lit(SLOTS)}) * ${sql.lit(4 + dimensions)}
    and substr(vector_blocks.data, (units.n % ${sql.lit(SLOTS)}) * ${sql.lit(4 + dimensions)} + 1, 4) <> x'00000000')`;

/** Looks at no more than `limit` chunks, so that a complete space of many is not one long read. */
export const chunksWithoutVector = async (
  db: Db,
  space: { id: number; dimensions: number },
  after: number,
  limit: number,
): Promise<{ ns: number[]; last: number | null }> => {
  const window = await sql<{ last: number | null }>`select max(n) as last from
    (select n from ${UNITS} where n > ${after} order by n limit 0 + ${limit})`.execute(db);
  const last = window.rows[0]?.last ?? null;
  if (last === null) return { ns: [], last };
  const { rows } = await sql<{
    n: number;
  }>`select n from ${UNITS} as units where n > ${after} and n <= ${last}
    and ${withoutVector(space.id, space.dimensions)} order by n`.execute(db);
  return { ns: rows.map((row) => row.n), last };
};

export const spaceProgress = async (db: Db, space: number): Promise<{ done: number; total: number }> => {
  const { rows } = await sql<{ done: number; total: number }>`select
    (select vectors from spaces where id = ${space}) as done,
    (select coalesce(sum(chunks + memories), 0) from containers) as total`.execute(db);
  return rows[0] ?? { done: 0, total: 0 };
};

export const switchSpace = async (tx: Db, id: number): Promise<{ retired: number | null }> => {
  const former = await tx
    .updateTable('spaces')
    .set({ state: 'retired' })
    .where('state', '=', 'active')
    .where('id', '<>', id)
    .returning('id')
    .executeTakeFirst();
  await tx.updateTable('spaces').set({ state: 'active' }).where('id', '=', id).execute();
  return { retired: former?.id ?? null };
};

/** Erases a slice of a space that does not serve, with the last slice the space itself; false: it is gone. */
export const forgetSlice = async (tx: Db, id: number, limit: number): Promise<boolean> => {
  const space = await tx.selectFrom('spaces').select('state').where('id', '=', id).executeTakeFirst();
  if (space?.state === 'active') throw new Error(`Space ${id} serves searches; switch to another one first.`);
  const more = await eraseVectors(tx, id, limit);
  if (!more) await tx.deleteFrom('spaces').where('id', '=', id).execute();
  return more;
};
