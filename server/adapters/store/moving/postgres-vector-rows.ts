// The vectors of PostgreSQL, which are rows already.
import type { StoredSpace } from '../engine/engine.ts';
import { run } from '../engine/run.ts';
import type { Db } from '../tables/tables.ts';
import type { MovedVector, MovedVectors, NumberRange } from './moving-side.ts';

const LAST_NUMBER = 2 ** 53;

const rowsBetween = async (
  db: Db,
  { id }: StoredSpace,
  { after, last }: NumberRange,
  most: number,
): Promise<readonly MovedVector[]> => {
  const { rows } = await run<MovedVector>(
    db,
    'select n, data from vector_rows where space = $1 and n > $2 and n <= $3 order by n limit $4',
    [id, after, last ?? LAST_NUMBER, most],
  );
  return rows;
};

export const postgresVectorRows = (db: Db): MovedVectors => ({
  page: (space, after, most) => rowsBetween(db, space, { after, last: null }, most),
  within: (space, range) => rowsBetween(db, space, range, LAST_NUMBER),
  async put(tx, { id }, vectors) {
    await run(
      tx,
      `insert into vector_rows (space, n, data) select $1, n, data from unnest($2::bigint[], $3::bytea[]) as given (n, data)
         on conflict (space, n) do update set data = excluded.data`,
      [id, vectors.map(({ n }) => n), vectors.map(({ data }) => Buffer.from(data))],
    );
  },
  async remove(tx, { id }, ns) {
    await run(tx, 'delete from vector_rows where space = $1 and n in (select value from number_list($2))', [
      id,
      JSON.stringify(ns),
    ]);
  },
  async keepSpaces(tx, ids) {
    await run(tx, 'delete from vector_rows where space not in (select value from number_list($1))', [
      JSON.stringify(ids),
    ]);
  },
});
