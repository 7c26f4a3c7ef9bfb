// The vectors of a space: as they are compared, in float32 where they were paid for, and in the outbox for the index.
import { bytesToFloats, dequantise, floatBytes } from '../../../../lib/vectors/code.ts';
import { countVectorsInSpace } from '../../engine/counts.ts';
import { engineOf, type NumberedVector, type StoredSpace } from '../../engine/engine.ts';
import { numberList } from '../../engine/lists.ts';
import { run } from '../../engine/run.ts';
import { UNITS } from '../../engine/units.ts';
import type { Db } from '../../tables/tables.ts';

export interface VectorSpace extends StoredSpace {
  /** The float32 form is kept as well. */
  keepExact: boolean;
}

const writeExact = async (tx: Db, space: number, { n, vector }: NumberedVector): Promise<void> => {
  if (vector)
    await run(
      tx,
      `insert into exact_vectors (space, n, data) values ($1, $2, $3)
         on conflict (space, n) do update set data = excluded.data`,
      [space, n, floatBytes(vector)],
    );
  else await run(tx, 'delete from exact_vectors where space = $1 and n = $2', [space, n]);
};

export const enqueueVectors = async (
  tx: Db,
  space: number,
  ns: readonly number[],
  op: 'upsert' | 'remove',
): Promise<void> => {
  if (ns.length === 0) return;
  await run(
    tx,
    `insert into vector_outbox (space, n, op)
       select cast($1 as bigint), value, cast($2 as text) from number_list($3)`,
    [space, op, JSON.stringify(ns)],
  );
};

/** Stores, replaces or erases vectors and updates the outbox, in the caller's transaction. */
export const writeVectors = async (
  tx: Db,
  space: VectorSpace,
  vectors: readonly NumberedVector[],
): Promise<void> => {
  if (vectors.length === 0) return;
  const grown = await engineOf(tx).vectors.write(tx, space, vectors);
  if (grown.vectors !== 0 || grown.indexed !== 0) await countVectorsInSpace(tx, space.id, grown);
  if (space.keepExact) for (const entry of vectors) await writeExact(tx, space.id, entry);
  const kept = vectors.filter((entry) => entry.vector !== null);
  const gone = vectors.filter((entry) => entry.vector === null);
  await enqueueVectors(
    tx,
    space.id,
    kept.map((entry) => entry.n),
    'upsert',
  );
  await enqueueVectors(
    tx,
    space.id,
    gone.map((entry) => entry.n),
    'remove',
  );
};

/** The exact vector if it is kept, else the int8 form. */
export const readVectors = async (
  db: Db,
  space: VectorSpace,
  ns: readonly number[],
): Promise<Map<number, Float32Array>> => {
  const vectors = new Map<number, Float32Array>();
  if (ns.length === 0) return vectors;
  for (const [n, quantised] of await engineOf(db).vectors.read(db, space, ns))
    vectors.set(n, dequantise(quantised));
  if (!space.keepExact) return vectors;
  const rows = await db
    .selectFrom('exact_vectors')
    .select(['n', 'data'])
    .where('space', '=', space.id)
    .where('n', 'in', numberList(ns))
    .execute();
  for (const row of rows) vectors.set(row.n, bytesToFloats(row.data));
  return vectors;
};

/** Chunks that the index has not taken yet, at most `limit`. */
export const pendingUpserts = async (db: Db, space: number, limit: number): Promise<number[]> => {
  const rows = await db
    .selectFrom('vector_outbox')
    .select('n')
    .where('space', '=', space)
    .where('op', '=', 'upsert')
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => row.n);
};

const eraseExact = async (tx: Db, space: number, limit: number): Promise<boolean> => {
  const { rows } = await run(
    tx,
    `delete from exact_vectors where space = $1 and n in
       (select n from exact_vectors where space = $1 order by n limit 0 + $2) returning n`,
    [space, limit],
  );
  return rows.length === limit;
};

/** A slice of a space's vectors; true: there are more. */
export const eraseVectors = async (tx: Db, space: number, limit: number): Promise<boolean> => {
  const more = [await engineOf(tx).vectors.erase(tx, space, limit), await eraseExact(tx, space, limit)];
  await tx.deleteFrom('vector_outbox').where('space', '=', space).execute();
  await tx.deleteFrom('indexed_containers').where('space', '=', space).execute();
  return more.includes(true);
};

/** The chunks among these that exist and have no vector in the space. */
export const chunksStillWithoutVector = async (
  tx: Db,
  space: VectorSpace,
  ns: readonly number[],
): Promise<Set<number>> => {
  const { rows } = await run<{ n: number }>(
    tx,
    `select n from chunks where n in (select value from number_list($1))
       union all select n from memories where n in (select value from number_list($1))`,
    [JSON.stringify(ns)],
  );
  const living = rows.map((row) => row.n);
  const held = await engineOf(tx).vectors.read(tx, space, living);
  return new Set(living.filter((n) => !held.has(n)));
};

/** Looks at no more than `limit` chunks, so that a complete space of many is not one long read. */
export const chunksWithoutVector = async (
  db: Db,
  space: StoredSpace,
  after: number,
  limit: number,
): Promise<{ ns: number[]; last: number | null }> => {
  const window = await run<{ last: number | null }>(
    db,
    `select max(n) as last from (select n from ${UNITS} as units where n > $1 order by n limit 0 + $2) as window_of_units`,
    [after, limit],
  );
  const last = window.rows[0]?.last ?? null;
  if (last === null) return { ns: [], last };
  return { ns: await engineOf(db).vectors.without(db, space, { after, last }), last };
};

/** True if the float32 form of the vector is kept. */
export const hasExactVector = async (db: Db, space: number, n: number): Promise<boolean> => {
  const { rows } = await run(db, 'select n from exact_vectors where space = $1 and n = $2', [space, n]);
  return rows.length > 0;
};
