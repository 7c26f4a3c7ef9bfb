// Counts are added up in a transaction and stored at its end, in order: a row that many writes count in is held for a moment
// only, and two writes never wait for each other.
import type { ContainerCounts, Counting } from '../engine/engine.ts';
import { run } from '../engine/run.ts';
import type { Db } from '../tables/tables.ts';

interface Sums {
  readonly containers: Map<number, Record<keyof ContainerCounts, number>>;
  readonly spaces: Map<number, number>;
}

const sumsOf = new WeakMap<Db, Sums>();

const sums = (tx: Db): Sums => {
  const known = sumsOf.get(tx);
  if (known === undefined) throw new Error('Counts are added in a write.');
  return known;
};

const NOTHING = {
  ...{ documents: 0, chunks: 0, body_tokens: 0, messages: 0, message_tokens: 0 },
  ...{ memories: 0, memory_tokens: 0 },
};
const COLUMNS = Object.keys(NOTHING) as (keyof ContainerCounts)[];

export const postgresCounting: Counting = {
  async containers(tx, n, changes) {
    const { containers } = sums(tx);
    const sum = containers.get(n) ?? { ...NOTHING };
    for (const column of COLUMNS) sum[column] += changes[column] ?? 0;
    containers.set(n, sum);
  },
  async vectors(tx, space, by) {
    const { spaces } = sums(tx);
    spaces.set(space, (spaces.get(space) ?? 0) + by);
  },
};

const given = `select * from unnest($1::bigint[], ${COLUMNS.map((_, at) => `$${at + 2}::bigint[]`).join(', ')})
  as given (n, ${COLUMNS.join(', ')})`;

const ADD_TO_CONTAINERS = `with given as (${given}),
  held as (select n from containers where n in (select given.n from given) order by n for no key update)
  update containers set ${COLUMNS.map((column) => `${column} = containers.${column} + given.${column}`).join(', ')}
    from held, given where containers.n = held.n and given.n = held.n`;

const ADD_TO_SPACE = 'update spaces set vectors = vectors + $1 where id = $2';

/** A transaction begins. */
export const beginCounting = (tx: Db): void => {
  sumsOf.set(tx, { containers: new Map(), spaces: new Map() });
};

/** The last statements of a transaction. */
export const storeCounts = async (tx: Db): Promise<void> => {
  const { containers, spaces } = sums(tx);
  const rows = [...containers].filter(([, sum]) => COLUMNS.some((column) => sum[column] !== 0));
  if (rows.length > 0)
    await run(tx, ADD_TO_CONTAINERS, [
      rows.map(([n]) => n),
      ...COLUMNS.map((column) => rows.map(([, sum]) => sum[column])),
    ]);
  for (const [space, by] of [...spaces].sort(([a], [b]) => a - b))
    if (by !== 0) await run(tx, ADD_TO_SPACE, [by, space]);
};
