// Counts are added up in a transaction and stored at its end, in order: a row that many writes count in is held for a moment
// only, and two writes never wait for each other.
import { containerOfNumber } from '../../../core/chunk-number.ts';
import type { ContainerCounts, Counting } from '../engine/engine.ts';
import { run } from '../engine/run.ts';
import type { Db } from '../tables/tables.ts';

interface Sums {
  readonly containers: Map<number, Record<keyof ContainerCounts, number>>;
  readonly spaces: Map<number, number>;
  /** The containers by the space in which vectors of them were changed. */
  readonly changed: Map<number, Set<number>>;
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

const NOTE_CHANGES = `insert into vector_changes (space, container, changes)
    select $1, value, 1 from unnest($2::bigint[]) as value order by value
  on conflict (space, container) do update set changes = vector_changes.changes + 1`;

/** Those who keep vectors of these containers in memory read them again. */
export const noteVectorChanges = (tx: Db, space: number, ns: readonly number[]): void => {
  const { changed } = sums(tx);
  const containers = changed.get(space) ?? new Set();
  for (const n of ns) containers.add(containerOfNumber(n));
  changed.set(space, containers);
};

/** The database is the one of a write, which sees what is not stored yet. */
export const isWriting = (db: Db): boolean => sumsOf.has(db);

/** A transaction begins. */
export const beginCounting = (tx: Db): void => {
  sumsOf.set(tx, { containers: new Map(), spaces: new Map(), changed: new Map() });
};

/** The last statements of a transaction. */
export const storeCounts = async (tx: Db): Promise<void> => {
  const { containers, spaces, changed } = sums(tx);
  const rows = [...containers].filter(([, sum]) => COLUMNS.some((column) => sum[column] !== 0));
  if (rows.length > 0)
    await run(tx, ADD_TO_CONTAINERS, [
      rows.map(([n]) => n),
      ...COLUMNS.map((column) => rows.map(([, sum]) => sum[column])),
    ]);
  for (const [space, by] of [...spaces].sort(([a], [b]) => a - b))
    if (by !== 0) await run(tx, ADD_TO_SPACE, [by, space]);
  for (const [space, those] of [...changed].sort(([a], [b]) => a - b))
    if (those.size > 0) await run(tx, NOTE_CHANGES, [space, [...those]]);
};
