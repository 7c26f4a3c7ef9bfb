// The containers of which the index holds vectors, where small ones are left out of it. A container that was once large enough
// stays in the index until that is filled anew: it would otherwise move to and fro at the bound.
import { CONTAINER_SPAN } from '../../../../core/chunks/chunk-number.ts';
import type { Reach } from '../../../../core/scope.ts';
import { countVectorsInSpace } from '../../engine/counts.ts';
import { engineOf, type StoredSpace } from '../../engine/engine.ts';
import { run } from '../../engine/run.ts';
import { UNITS } from '../../engine/units.ts';
import type { UnitKind } from '../../ports/filters.ts';
import type { LeftOut } from '../../ports/search.ts';
import { CONTAINERS_WITH_ANY } from '../../statements/scoped-views.ts';
import type { Db } from '../../tables/tables.ts';
import { enqueueVectors } from './vectors.ts';

export const readIndexedFrom = async (db: Db, space: number): Promise<number> => {
  const row = await db.selectFrom('spaces').select('index_from').where('id', '=', space).executeTakeFirst();
  return row?.index_from ?? 0;
};

export const indexAnew = async (tx: Db, space: number, from: number): Promise<void> => {
  await tx.deleteFrom('indexed_containers').where('space', '=', space).execute();
  await tx.updateTable('spaces').set({ index_from: from, indexed: 0 }).where('id', '=', space).execute();
};

/** The index or the outbox has every vector of the container, also those that are still to come. */
const WHOLLY_INDEXED = `exists (select 1 from indexed_containers as marks where marks.space = spaces.id
  and marks.container = containers.n and marks.upto = ${CONTAINER_SPAN})`;

export const containersToIndex = async (
  db: Db,
  space: number,
  among: readonly number[] | null,
): Promise<number[]> => {
  const { rows } = await run<{ n: number }>(
    db,
    `select containers.n from spaces cross join containers
       where spaces.id = $1 and spaces.index_from > 0 and containers.chunks + containers.memories >= spaces.index_from
         and not ${WHOLLY_INDEXED} ${among === null ? '' : 'and containers.n in (select value from number_list($2))'}`,
    among === null ? [space] : [space, JSON.stringify(among)],
  );
  return rows.map(({ n }) => n);
};

const readUpto = async (tx: Db, space: number, container: number): Promise<number> => {
  const { rows } = await run<{ upto: number }>(
    tx,
    'select upto from indexed_containers where space = $1 and container = $2',
    [space, container],
  );
  return rows[0]?.upto ?? 0;
};

/**
 * A write that committed before has its vectors among these. One that commits later finds the mark, so that the indexer takes what
 * it adds to the outbox.
 */
export const enqueueContainer = async (
  tx: Db,
  space: StoredSpace,
  container: number,
  limit: number,
): Promise<boolean> => {
  const first = container * CONTAINER_SPAN;
  const upto = await readUpto(tx, space.id, container);
  const { rows } = await run<{ n: number }>(
    tx,
    `select n from ${UNITS} as units where n >= $1 and n < $2 order by n limit 0 + $3`,
    [first + upto, first + CONTAINER_SPAN, limit],
  );
  const ns = rows.map(({ n }) => n);
  const held = await engineOf(tx).vectors.read(tx, space, ns);
  await enqueueVectors(tx, space.id, [...held.keys()], 'upsert');
  const last = ns.length < limit ? undefined : ns.at(-1);
  await run(
    tx,
    `insert into indexed_containers (space, container, upto) values ($1, $2, $3)
       on conflict (space, container) do update set upto = excluded.upto`,
    [space.id, container, last === undefined ? CONTAINER_SPAN : last - first + 1],
  );
  await countVectorsInSpace(tx, space.id, { vectors: 0, indexed: held.size });
  return last !== undefined;
};

export const indexableNumbers = async (db: Db, space: number, ns: readonly number[]): Promise<number[]> => {
  const { rows } = await run<{ n: number }>(
    db,
    `select numbers.n from (select value as n from number_list($2)) as numbers
       inner join indexed_containers as marks on marks.space = $1
         and marks.container = numbers.n / ${CONTAINER_SPAN} and numbers.n % ${CONTAINER_SPAN} < marks.upto`,
    [space, JSON.stringify(ns)],
  );
  return rows.map(({ n }) => n);
};

// --- for searches -----------------------------------------------------------------------------------

export interface LeftOutRequest {
  readonly space: number;
  readonly units: UnitKind;
  /** The most units of small containers that are compared exactly. */
  readonly most: number;
}

/** Containers of the scope that the index does not hold wholly. `grows`: they are on their way to it. */
const leftOutContainers = (units: UnitKind, { reads }: Reach): string => `
  select containers.n, containers.${units} as units,
    case when containers.chunks + containers.memories >= spaces.index_from then 1 else 0 end as grows
  from spaces cross join containers
  where spaces.id = ${reads === null ? '$1' : '$2'} and spaces.index_from > 0 and containers.${units} > 0 and not ${WHOLLY_INDEXED}
    ${reads === null ? '' : `and containers.n in ${CONTAINERS_WITH_ANY}`}`;

/** Containers that grow while a search goes on have just passed the bound, unless the index is filled from nothing. */
const MOST_GROWING = 2;

export const leftOutOfIndex = async (
  db: Db,
  reach: Reach,
  { space, units, most }: LeftOutRequest,
): Promise<LeftOut | null> => {
  const those = leftOutContainers(units, reach);
  const parameters = reach.reads === null ? [space] : [JSON.stringify(reach.reads), space];
  const sums = await run<{ grows: number; units: number }>(
    db,
    `select grows, sum(units) as units from (${those}) as left_out group by grows`,
    parameters,
  );
  const sumOf = (grows: number) => sums.rows.find((row) => row.grows === grows)?.units ?? 0;
  const [small, growing] = [sumOf(0), sumOf(1)];
  if (growing > MOST_GROWING * most) return null;
  const more = small > most;
  if (small + growing === 0 || (more && growing === 0)) return { containers: [], units: small, more };
  const { rows } = await run<{ n: number }>(
    db,
    `select n from (${those}) as left_out ${more ? 'where grows = 1' : ''} order by n`,
    parameters,
  );
  return { containers: rows.map(({ n }) => n), units: small + growing, more };
};
