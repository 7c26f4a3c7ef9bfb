// Counts are added up in a transaction and stored at its end, in order: a row that many writes count in is held for a moment
// only, and two writes never wait for each other.
import { containerOfNumber } from '../../../core/chunks/chunk-number.ts';
import type { ContainerCounts, Counting, VectorGrowth } from '../engine/engine.ts';
import type { Db } from '../tables/tables.ts';
import type { StatementCall } from './connection.ts';

interface Sums {
  readonly containers: Map<number, Record<keyof ContainerCounts, number>>;
  readonly spaces: Map<number, VectorGrowth>;
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
const NO_GROWTH: VectorGrowth = { vectors: 0, indexed: 0 };
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
    const sum = spaces.get(space) ?? NO_GROWTH;
    spaces.set(space, { vectors: sum.vectors + by.vectors, indexed: sum.indexed + by.indexed });
  },
};

/** As JSON: PostgreSQL makes one plan for it, and for arrays a new one each time, by their lengths. */
const ADD_TO_CONTAINERS = `
  with given as (select * from json_to_recordset(cast($1 as json)) as given (n bigint,
      ${COLUMNS.map((column) => `${column} bigint`).join(', ')})),
  held as (select n from containers where n in (select given.n from given) order by n for no key update)
  update containers set ${COLUMNS.map((column) => `${column} = containers.${column} + given.${column}`).join(', ')}
    from held, given where containers.n = held.n and given.n = held.n`;

const addToContainers = (
  rows: readonly (readonly [number, Record<keyof ContainerCounts, number>])[],
): StatementCall => [ADD_TO_CONTAINERS, [JSON.stringify(rows.map(([n, sum]) => ({ n, ...sum })))]];

const ADD_TO_SPACE = `update spaces set vectors = vectors + cast($2 as bigint), indexed = indexed + cast($3 as bigint)
  where id = cast($1 as bigint)`;

const addToSpace = (space: number, { vectors, indexed }: VectorGrowth): StatementCall => [
  ADD_TO_SPACE,
  [space, vectors, indexed],
];

const hasGrown = ({ vectors, indexed }: VectorGrowth): boolean => vectors !== 0 || indexed !== 0;

const NOTE_CHANGES = `
  insert into vector_changes (space, container, changes)
    select cast($1 as bigint), value, 1 from number_list($2) order by value
  on conflict (space, container) do update set changes = vector_changes.changes + 1`;

const noteChanges = (space: number, containers: readonly number[]): StatementCall => [
  NOTE_CHANGES,
  [space, JSON.stringify(containers)],
];

/** Has processes that keep vectors of these containers in memory read them again. */
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

/**
 * The last statements of a transaction, which are sent together with its commit: no row in which many count waits for this
 * process, however slow the network to it is.
 */
export const countStatements = (tx: Db): StatementCall[] => {
  const { containers, spaces, changed } = sums(tx);
  const rows = [...containers].filter(([, sum]) => COLUMNS.some((column) => sum[column] !== 0));
  const inOrder = <T>(each: ReadonlyMap<number, T>) => [...each].sort(([a], [b]) => a - b);
  return [
    ...(rows.length > 0 ? [addToContainers(rows)] : []),
    ...inOrder(spaces).flatMap(([space, by]) => (hasGrown(by) ? [addToSpace(space, by)] : [])),
    ...inOrder(changed).flatMap(([space, those]) =>
      those.size === 0 ? [] : [noteChanges(space, [...those])],
    ),
  ];
};
