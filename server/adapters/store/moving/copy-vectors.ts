// Makes the vectors of one database equal to those of another, space by space.
import { createHash } from 'node:crypto';
import type { StoredSpace } from '../engine/engine.ts';
import { run } from '../engine/run.ts';
import type { Sides, TableCopy } from './copy-table.ts';
import { VECTORS } from './moved-tables.ts';
import type { MovedVector } from './moving-side.ts';

const BATCH = 2_000;

const textOfVector = ({ n, data }: MovedVector): string => `${n} ${Buffer.from(data).toString('base64')}\n`;

export const copyVectors = async ({ source, target, looked }: Sides): Promise<TableCopy> => {
  const { rows: spaces } = await run<StoredSpace>(source.db, 'select id, dimensions from spaces order by id');
  const hashes = { source: createHash('sha256'), target: createHash('sha256') };
  let rows = 0;
  let differences = 0;
  const copySpace = async (space: StoredSpace): Promise<void> => {
    let after = -1;
    for (;;) {
      const wanted = await source.vectors.page(space, after, BATCH);
      const last = wanted.at(-1)?.n ?? null;
      const found = await target.vectors.within(space, { after, last });
      for (const vector of wanted) hashes.source.update(textOfVector(vector));
      for (const vector of found) hashes.target.update(textOfVector(vector));
      const held = new Map(found.map((vector) => [vector.n, textOfVector(vector)]));
      const put = wanted.filter((vector) => held.get(vector.n) !== textOfVector(vector));
      const present = new Set(wanted.map(({ n }) => n));
      const gone = found.flatMap(({ n }) => (present.has(n) ? [] : [n]));
      if (put.length + gone.length > 0)
        await target.write(async (tx) => {
          if (put.length > 0) await target.vectors.put(tx, space, put);
          if (gone.length > 0) await target.vectors.remove(tx, space, gone);
        });
      rows += wanted.length;
      differences += put.length + gone.length;
      looked(VECTORS, rows);
      if (last === null) return;
      after = last;
    }
  };
  for (const space of spaces) await copySpace(space);
  await target.write((tx) =>
    target.vectors.keepSpaces(
      tx,
      spaces.map(({ id }) => id),
    ),
  );
  const digests = { source: hashes.source.digest('hex'), target: hashes.target.digest('hex') };
  return { table: VECTORS, rows, differences, digests };
};
