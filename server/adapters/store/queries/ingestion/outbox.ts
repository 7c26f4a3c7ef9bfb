// The outbox: which vectors the index still has to get or remove.

import { numberList } from '../../engine/lists.ts';
import { run } from '../../engine/run.ts';
import type { OutboxRow } from '../../ports/ingestion/outbox.ts';
import type { Db } from '../../tables/tables.ts';
import { enqueueVectors } from '../spaces/vectors.ts';

export const readOutbox = (db: Db, space: number, limit: number): Promise<OutboxRow[]> =>
  db
    .selectFrom('vector_outbox')
    .select(['seq', 'n', 'op'])
    .where('space', '=', space)
    .orderBy('seq')
    .limit(limit)
    .execute();

export const acknowledgeOutbox = async (tx: Db, space: number, seqs: readonly number[]): Promise<void> => {
  await tx
    .deleteFrom('vector_outbox')
    .where('space', '=', space)
    .where('seq', 'in', numberList(seqs))
    .execute();
};

/** One slice of all chunks and memories after this number; returns the last number, or null at the end. */
export const enqueueSlice = async (
  tx: Db,
  space: number,
  after: number,
  limit: number,
): Promise<number | null> => {
  const { rows } = await run<{ n: number }>(
    tx,
    `select n from chunks where n > $1 union all select n from memories where n > $1
       order by n limit 0 + $2`,
    [after, limit],
  );
  const ns = rows.map((row) => row.n);
  await enqueueVectors(tx, space, ns, 'upsert');
  return ns.length < limit ? null : (ns.at(-1) ?? null);
};

export const countVectors = async (db: Db, space: number): Promise<number> => {
  const { rows } = await run<{ count: number }>(
    db,
    'select case when index_from = 0 then vectors else indexed end as count from spaces where id = $1',
    [space],
  );
  return rows[0]?.count ?? 0;
};

export const countOutbox = async (db: Db, space: number): Promise<number> => {
  const { rows } = await run<{ count: number }>(
    db,
    'select count(*) as count from vector_outbox where space = $1',
    [space],
  );
  return rows[0]?.count ?? 0;
};
