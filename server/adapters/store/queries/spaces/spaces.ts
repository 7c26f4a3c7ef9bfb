// Embedding spaces: active ones, those being filled, and the vectors in them.

import { run } from '../../engine/run.ts';
import type { Calibration, SpaceRecord } from '../../ports/spaces.ts';
import type { Db } from '../../tables/tables.ts';
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

/** One space serves, and a space that is wanted is filled once, also where several processes want it at once. */
const existingSpace = async (
  tx: Db,
  { embedder, model, dimensions, state }: Omit<SpaceRecord, 'id'>,
): Promise<SpaceRecord | undefined> =>
  (await listSpaces(tx)).find(
    (space) =>
      space.state === state &&
      (state === 'active' ||
        (space.embedder === embedder && space.model === model && space.dimensions === dimensions)),
  );

export const createSpace = async (
  tx: Db,
  space: Omit<SpaceRecord, 'id'>,
  now: number,
): Promise<SpaceRecord> => {
  const existing = await existingSpace(tx, space);
  if (existing !== undefined) return existing;
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

export const abandonSpace = async (tx: Db, id: number): Promise<void> => {
  await tx
    .updateTable('spaces')
    .set({ state: 'retired' })
    .where('id', '=', id)
    .where('state', '=', 'filling')
    .execute();
};

export const spaceProgress = async (db: Db, space: number): Promise<{ done: number; total: number }> => {
  const { rows } = await run<{ done: number; total: number }>(
    db,
    `select (select vectors from spaces where id = $1) as done,
       (select coalesce(sum(chunks + memories), 0) from containers) as total`,
    [space],
  );
  return rows[0] ?? { done: 0, total: 0 };
};

/** Null: the space is not being filled any more. */
export const switchSpace = async (tx: Db, id: number): Promise<{ retired: number | null } | null> => {
  const { state } =
    (await tx.selectFrom('spaces').select('state').where('id', '=', id).executeTakeFirst()) ?? {};
  if (state !== 'filling') return null;
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

/** Erases a slice of an inactive space, and with the last slice the space itself; false: it no longer exists. */
export const forgetSlice = async (tx: Db, id: number, limit: number): Promise<boolean> => {
  const space = await tx.selectFrom('spaces').select('state').where('id', '=', id).executeTakeFirst();
  if (space?.state === 'active') throw new Error(`Space ${id} serves searches; switch to another one first.`);
  const more = await eraseVectors(tx, id, limit);
  if (!more) await tx.deleteFrom('spaces').where('id', '=', id).execute();
  return more;
};
