// Whose turn it is: which documents are taken next, fairly between containers.
import { CompiledQuery } from 'kysely';
import type { Share } from '../ingest-port.ts';
import type { Db } from '../tables.ts';

/** A document that was in hand when the process died this often is claimed alone. */
const CRASHES_BEFORE_ALONE = 2;

/** Written out as in the partial indexes of the migration: with parameters in it SQLite would read every document. */
const WAITS = `lease is null and deleted = 0 and step not in ('done', 'failed')`;
export const SUSPECT = `${WAITS} and crashes >= ${CRASHES_BEFORE_ALONE}`;

const suspect = async (tx: Db, now: number): Promise<number[]> => {
  const { rows } = await tx.executeQuery<{ n: number }>(
    CompiledQuery.raw(`select n from documents where ${SUSPECT} and due_at <= ? limit 1`, [now]),
  );
  return rows.map((row) => row.n);
};

/** Documents that are cut at once, and those that have to be read outside of the queue first. */
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
    and crashes < ${CRASHES_BEFORE_ALONE}
  order by due_at, n limit 0 + ?4`;

const NEXT_DUE = `${waitingContainers('')}
  select min((select min(due_at) from documents where ${WAITS} and heavy = ?1 and container = waiting.container)) as due
  from waiting where container is not null`;

interface FairChoice {
  ns: number[];
  /** The last container that was looked at; null: none waits after the cursor. */
  last: number | null;
}

/** A few documents of each container that waits, so nobody starves; the fewer wait, the more of each. */
const fairChoice = async (
  tx: Db,
  weight: Weight,
  cursor: number,
  share: Share,
  now: number,
): Promise<FairChoice> => {
  const { rows: waiting } = await tx.executeQuery<{ container: number }>(
    CompiledQuery.raw(WAITING, [weight, cursor, share.containers]),
  );
  const each = Math.ceil(share.documents / Math.max(1, waiting.length));
  const ns: number[] = [];
  let last: number | null = null;
  for (const { container } of waiting) {
    if (ns.length >= share.documents) break;
    const { rows } = await tx.executeQuery<{ n: number }>(
      CompiledQuery.raw(OLDEST, [weight, container, now, Math.min(each, share.documents - ns.length)]),
    );
    ns.push(...rows.map((row) => row.n));
    last = container;
  }
  return { ns, last };
};

/** Once around all containers: those whose documents wait for their time must not hide the others. */
const nextChoice = async (
  tx: Db,
  weight: Weight,
  cursor: number,
  share: Share,
  now: number,
): Promise<FairChoice> => {
  let from = cursor;
  let wrapped = cursor === 0;
  for (;;) {
    const choice = await fairChoice(tx, weight, from, share, now);
    if (choice.ns.length > 0) return choice;
    if (choice.last === null && wrapped) return choice;
    if (choice.last === null) wrapped = true;
    from = choice.last ?? 0;
  }
};

/** How far around the containers each kind of work has come. */
export interface Cursors {
  readonly light: number;
  readonly heavy: number;
}

export const NO_CURSORS: Cursors = { light: 0, heavy: 0 };

/** One that is suspected of ending the process is taken alone. */
export const nextTurns = async (
  tx: Db,
  cursors: Cursors,
  share: Share,
  now: number,
): Promise<{ ns: number[]; cursors: Cursors }> => {
  const alone = await suspect(tx, now);
  if (alone.length > 0) return { ns: alone, cursors };
  const room = share.heavy ?? share.documents;
  const light = await nextChoice(tx, 0, cursors.light, share, now);
  const heavy =
    room === 0
      ? { ns: [], last: cursors.heavy }
      : await nextChoice(tx, 1, cursors.heavy, { ...share, documents: room }, now);
  return {
    ns: [...light.ns, ...heavy.ns],
    cursors: { light: light.last ?? 0, heavy: heavy.last ?? 0 },
  };
};

export const nextDue = async (db: Db, heavy: boolean): Promise<number | null> => {
  const dues: number[] = [];
  for (const weight of heavy ? [0, 1] : [0]) {
    const { rows } = await db.executeQuery<{ due: number | null }>(CompiledQuery.raw(NEXT_DUE, [weight, 0]));
    if (rows[0]?.due != null) dues.push(rows[0].due);
  }
  return dues.length === 0 ? null : Math.min(...dues);
};
