// Chooses the documents that are read next for memories, fairly between containers.

import { run } from '../../../engine/run.ts';
import type { MemoryTurns } from '../../../ports/memories/remembering.ts';
import { LIVING_TEXT } from '../../../statements/scoped-views.ts';
import type { Db } from '../../../tables/tables.ts';

/** Written out as in the partial indexes of the migrations: with parameters in it SQLite would read every document. */
export const WAITS_FOR_MEMORIES = `${LIVING_TEXT} and memory_state = 'waiting'`;

type Queue = 'instant' | 'dynamic';

const queuesOf = (dreaming: Queue | undefined): readonly Queue[] =>
  dreaming === undefined ? ['instant', 'dynamic'] : [dreaming];

/** Documents that a caller waits for come in the order of time. */
const INSTANT = `select n, container from documents where ${WAITS_FOR_MEMORIES} and dreaming = 'instant' and memory_lease is null
  and memory_due_at <= $1 and container not in (select value from number_list($2))
  order by memory_due_at, n limit 0 + $3`;

/** A loose index scan: the next containers after the cursor in which a document waits. */
const CONTAINERS = `
  with recursive waiting (container) as (
    select min(container) from documents where ${WAITS_FOR_MEMORIES} and container > $1
    union all
    select (select min(container) from documents where ${WAITS_FOR_MEMORIES} and container > waiting.container)
    from waiting where waiting.container is not null)
  select container from waiting
  where container is not null and container not in (select value from number_list($2)) limit 0 + $3`;

const DYNAMIC = `select n from documents where ${WAITS_FOR_MEMORIES} and dreaming <> 'instant' and memory_lease is null
  and memory_due_at <= $1 and container = $2 order by n limit 0 + $3`;

/** Selects the documents that are read next. */
interface TurnRequest extends MemoryTurns {
  limit: number;
  dreaming: Queue | undefined;
  /** The last container that had its turn. */
  cursor: number;
}

interface Turn {
  ns: number[];
  cursor: number;
}

const instantTurn = async (
  db: Db,
  { limit, busy, most, cursor }: TurnRequest,
  now: number,
): Promise<Turn> => {
  const { rows } = await run<{ n: number; container: number }>(db, INSTANT, [
    now,
    JSON.stringify(busy),
    limit,
  ]);
  const first = [...new Set(rows.map(({ container }) => container))].slice(0, most);
  return { ns: rows.flatMap(({ n, container }) => (first.includes(container) ? [n] : [])), cursor };
};

/** A few documents of each waiting container, so that none starves; the fewer containers wait, the more of each. */
const nextContainers = async (
  db: Db,
  { limit, busy, most, cursor }: TurnRequest,
  now: number,
): Promise<Turn> => {
  const parameters = [cursor, JSON.stringify(busy), Math.min(most, limit)];
  const { rows: waiting } = await run<{ container: number }>(db, CONTAINERS, parameters);
  const each = Math.ceil(limit / Math.max(1, waiting.length));
  const ns: number[] = [];
  let last = 0;
  for (const { container } of waiting) {
    if (ns.length >= limit) break;
    const { rows } = await run<{ n: number }>(db, DYNAMIC, [
      now,
      container,
      Math.min(each, limit - ns.length),
    ]);
    ns.push(...rows.map(({ n }) => n));
    last = container;
  }
  return { ns, cursor: last };
};

/** Once around all containers: those with documents that are not due must not hide the others. */
const dynamicTurn = async (db: Db, request: TurnRequest, now: number): Promise<Turn> => {
  let { cursor } = request;
  let wrapped = cursor === 0;
  for (;;) {
    const turn = await nextContainers(db, { ...request, cursor }, now);
    if (turn.ns.length > 0 || (turn.cursor === 0 && wrapped)) return turn;
    if (turn.cursor === 0) wrapped = true;
    cursor = turn.cursor;
  }
};

/** The documents that are read next, on the reading connection, so that the choice delays no write. */
export const nextToRemember = async (db: Db, request: TurnRequest, now: number): Promise<Turn> => {
  const ns: number[] = [];
  let { cursor } = request;
  for (const queue of queuesOf(request.dreaming)) {
    const limit = request.limit - ns.length;
    if (limit <= 0) break;
    const turn = queue === 'instant' ? instantTurn : dynamicTurn;
    const chosen = await turn(db, { ...request, limit, cursor }, now);
    ns.push(...chosen.ns);
    cursor = chosen.cursor;
  }
  return { ns, cursor };
};
