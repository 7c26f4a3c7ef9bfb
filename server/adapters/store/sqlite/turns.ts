// Chooses the next documents, fairly between containers.
import type { ClaimShare } from '../ports/ingestion/claims.ts';
import { run } from '../statements/run.ts';
import type { Db } from '../tables/tables.ts';

/** A document that was claimed at this many crashes of the process is claimed alone. */
const CRASHES_BEFORE_ALONE = 2;

/** Written out as in the partial indexes of the migration: with parameters in it SQLite would read every document. */
export const WAITS = `lease is null and deleted = 0 and step not in ('done', 'failed')`;
export const SUSPECT = `${WAITS} and crashes >= ${CRASHES_BEFORE_ALONE}`;

const suspectedDocument = async (db: Db, now: number): Promise<number[]> => {
  const { rows } = await run<{ n: number }>(
    db,
    `select n from documents where ${SUSPECT} and due_at <= ? limit 1`,
    [now],
  );
  return rows.map((row) => row.n);
};

/** Light documents, which are cut at once, and heavy ones, which are first read outside of the queue. */
type Weight = 0 | 1;

/** A loose index scan: the next containers after the cursor in which something of this weight waits. */
const waitingContainers = (limit: string): string => `
  with recursive waiting (container) as (
    select min(container) from documents where ${WAITS} and heavy = ?1 and container > ?2
    union all
    select (select min(container) from documents where ${WAITS} and heavy = ?1 and container > waiting.container)
    from waiting where waiting.container is not null ${limit})`;

const WAITING = `${waitingContainers('limit 0 + ?3')} select container from waiting where container is not null`;

const OLDEST = `
  select n from documents where ${WAITS} and heavy = ?1 and container = ?2 and due_at <= ?3
  order by due_at, n limit 0 + ?4`;

const NEXT_DUE = `${waitingContainers('')}
  select min((select min(due_at) from documents where ${WAITS} and heavy = ?1 and container = waiting.container)) as due
  from waiting where container is not null and (?1 = 0 or container not in (select value from json_each(?3)))`;

interface FairChoice {
  ns: number[];
  /** The last container that was checked; null: none waits after the cursor. */
  last: number | null;
}

/** One choice of documents, bound to its connection. */
interface ChoiceContext {
  db: Db;
  weight: Weight;
  share: ClaimShare;
  now: number;
}

const heavyLeft = ({ heavyLeft: left, heavyEach }: ClaimShare, container: number): number =>
  Math.max(0, left?.get(container) ?? heavyEach ?? Number.MAX_SAFE_INTEGER);

/** A few documents of each waiting container, so that none starves; the fewer containers wait, the more of each. */
const fairChoice = async (context: ChoiceContext, cursor: number): Promise<FairChoice> => {
  const { db, weight, share, now } = context;
  const { rows: waiting } = await run<{ container: number }>(db, WAITING, [weight, cursor, share.containers]);
  const each = Math.ceil(share.documents / Math.max(1, waiting.length));
  const ns: number[] = [];
  let last: number | null = null;
  for (const { container } of waiting) {
    if (ns.length >= share.documents) break;
    const left = weight === 0 ? each : heavyLeft(share, container);
    const limit = Math.min(each, left, share.documents - ns.length);
    const { rows } = await run<{ n: number }>(db, OLDEST, [weight, container, now, limit]);
    ns.push(...rows.map((row) => row.n));
    last = container;
  }
  return { ns, last };
};

/** Once around all containers: those with documents that are not due must not hide the others. */
const nextChoice = async (context: ChoiceContext, cursor: number): Promise<FairChoice> => {
  let from = cursor;
  let wrapped = cursor === 0;
  for (;;) {
    const choice = await fairChoice(context, from);
    if (choice.ns.length > 0) return choice;
    if (choice.last === null && wrapped) return choice;
    if (choice.last === null) wrapped = true;
    from = choice.last ?? 0;
  }
};

/** The last container that was looked at, for each kind of work. */
export interface Cursors {
  readonly light: number;
  readonly heavy: number;
}

export const NO_CURSORS: Cursors = { light: 0, heavy: 0 };

/** A document that may crash the process is claimed alone. */
export const nextTurns = async (
  db: Db,
  cursors: Cursors,
  share: ClaimShare,
  now: number,
): Promise<{ ns: number[]; cursors: Cursors }> => {
  const alone = await suspectedDocument(db, now);
  if (alone.length > 0) return { ns: alone, cursors };
  const room = share.heavy ?? share.documents;
  const light = await nextChoice({ db, weight: 0, share, now }, cursors.light);
  const heavy =
    room === 0
      ? { ns: [], last: cursors.heavy }
      : await nextChoice({ db, weight: 1, share: { ...share, documents: room }, now }, cursors.heavy);
  return {
    ns: [...light.ns, ...heavy.ns],
    cursors: { light: light.last ?? 0, heavy: heavy.last ?? 0 },
  };
};

export const nextDue = async (db: Db, heavy: boolean, full: readonly number[]): Promise<number | null> => {
  const dues: number[] = [];
  for (const weight of heavy ? [0, 1] : [0]) {
    const { rows } = await run<{ due: number | null }>(db, NEXT_DUE, [weight, 0, JSON.stringify(full)]);
    if (rows[0]?.due != null) dues.push(rows[0].due);
  }
  return dues.length === 0 ? null : Math.min(...dues);
};
