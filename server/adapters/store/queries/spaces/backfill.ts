// Reads stored chunks with their context for filling a space, and stores the vectors.

import { lockUnits } from '../../engine/locks.ts';
import { run } from '../../engine/run.ts';
import type { StoredPassage } from '../../ports/ingestion/backfill.ts';
import type { FillSpace } from '../../ports/spaces.ts';
import type { Db } from '../../tables/tables.ts';
import { chunksStillWithoutVector, writeVectors } from './vectors.ts';

/** A message is embedded with the messages around it, so those are read as well. */
export const readStoredPassages = async (db: Db, ns: readonly number[]): Promise<StoredPassage[]> => {
  const { rows } = await run<StoredPassage>(
    db,
    `select n, n as document, 0 as position, 0 as part, 0 as flags, memory as text,
       null as title, null as speaker, document_date as date
     from memories where n in (select value from number_list($1))
     union all select distinct near.n, near.doc as document, near.position, near.part,
       near.flags, near.content as text, near.title, near.speaker, near.date
     from chunks as target inner join chunks as near on near.doc = target.doc
       and near.position between target.position - 3 and target.position + 3
     where target.n in (select value from number_list($1)) order by 2, 3, 4`,
    [JSON.stringify(ns)],
  );
  return rows;
};

/** Only for chunks that still exist and still have none: a vector that was written meanwhile is newer. */
export const fillMissingVectors = async (
  tx: Db,
  space: FillSpace,
  vectors: readonly { n: number; vector: Float32Array }[],
): Promise<void> => {
  const ns = vectors.map(({ n }) => n);
  await lockUnits(tx, ns);
  const without = await chunksStillWithoutVector(tx, space, ns);
  const missing = vectors.filter(({ n }) => without.has(n));
  await writeVectors(tx, space, missing);
};
