// Documents that are messages of one thread: each has a place there, told by what its sender says and by when it was said.
import { sql } from 'kysely';
import type { Reach } from '../../../lib/scope.ts';
import { threadOf } from '../../../lib/thread-of.ts';
import type { Metadata } from '../port.ts';
import type { Db } from '../tables.ts';
import type { ThreadPlace } from '../thread-port.ts';
import { run } from './raw.ts';
import { containersWithAny, inList } from './visible.ts';

export interface Placed {
  n: number;
  container: number;
  customId: string | null;
  metadata: Metadata | null;
  createdAt: number;
}

/** What is cut into more pieces than this was attached to the thread and not said in it, unless it is a conversation. */
const PIECES_OF_A_MESSAGE = 4;

/** Of what was said and not put into a thread: what follows each other in time belongs together. */
const NAMELESS = 'nameless';
/** A longer conversation has its context in itself. */
const MESSAGES_OF_A_PART = 3;
/** After such a silence something else is spoken of. */
const PAUSE_MS = 30 * 60_000;

/** Only what is written as said by somebody: notes that come one after another have nothing to do with each other. */
const placeNameless = async (tx: Db, doc: number): Promise<void> => {
  await run(tx, `delete from thread_places where doc = ? and thread = '${NAMELESS}'`, [doc]);
  await run(
    tx,
    `insert into thread_places (doc, container, thread, arrived, said, messages)
       select documents.n, documents.container, '${NAMELESS}', documents.created_at, measured.said, measured.messages
       from documents, (select max(position) + 1 as messages, min(flags & 1) as spoken,
         (select date from chunks where doc = ?1 order by position, part limit 1) as said from chunks where doc = ?1) as measured
       where documents.n = ?1 and measured.spoken = 1 and measured.messages <= ${MESSAGES_OF_A_PART}
         and not exists (select 1 from thread_places where doc = ?1)`,
    [doc],
  );
};

/** What only its chunks tell: when it was said, and how many messages it is; none as long as it is not searchable. */
export const measurePlace = async (tx: Db, doc: number): Promise<void> => {
  await run(
    tx,
    `update thread_places set
       said = (select date from chunks where doc = ?1 order by position, part limit 1),
       messages = coalesce((select case when count(*) <= ${PIECES_OF_A_MESSAGE} or max(flags & 1) = 1
         then max(position) + 1 else 0 end from chunks where doc = ?1), 0)
     where doc = ?1`,
    [doc],
  );
  await placeNameless(tx, doc);
};

const setPlace = (tx: Db, document: Placed, thread: string, number: number | null) =>
  run(
    tx,
    `insert into thread_places (doc, container, thread, number, arrived) values (?, ?, ?, ?, ?)
       on conflict (doc) do update set container = excluded.container, thread = excluded.thread, number = excluded.number`,
    [document.n, document.container, thread, number, document.createdAt],
  );

/** Of a document that has no chunks yet. */
export const addToThread = async (tx: Db, document: Placed): Promise<void> => {
  const thread = threadOf(document.customId, document.metadata);
  if (thread !== null) await setPlace(tx, document, thread.key, thread.number);
};

/** Of one whose customId or metadata may say something else now. */
export const moveInThread = async (tx: Db, document: Placed): Promise<void> => {
  const thread = threadOf(document.customId, document.metadata);
  if (thread === null) {
    await run(tx, 'delete from thread_places where doc = ?', [document.n]);
    return placeNameless(tx, document.n);
  }
  await setPlace(tx, document, thread.key, thread.number);
  await measurePlace(tx, document.n);
};

/** Without the name that told its thread it stays among those that gave up theirs, and not among others of that name. */
export const giveUpName = (tx: Db, doc: number) =>
  run(
    tx,
    `update thread_places set thread = thread || ' once in ' || container where doc = ? and thread like 'counted %'`,
    [doc],
  );

// --- reading -----------------------------------------------------------------------------------------

const places = sql`select doc, container, thread, at, rank, messages from thread_places where messages > 0`;

const visiblePlaces = ({ reads }: Reach) =>
  sql`visible_places as (${places} and ${reads === null ? sql`true` : sql`container in ${containersWithAny(reads)}`})`;

/** Only to be joined by the container of what is visible: to ask for it once more would double the work. */
const visibleBeside = sql`visible_beside as (${places})`;

/** Whether anything within reach is a message of a thread. */
export const anyThread = async (db: Db, reach: Reach): Promise<boolean> => {
  const { rows } = await sql`with ${visiblePlaces(reach)} select doc from visible_places limit 1`.execute(db);
  return rows.length > 0;
};

/** The plus signs keep SQLite from comparing column with column, which its index could not serve. */
const beside = (comparison: '<' | '>', direction: 'desc' | 'asc', count: number) => sql`
  select doc from (select doc from visible_beside as other
    where other.container = hit.container and other.thread = hit.thread
      and (other.at, other.rank, other.doc) ${sql.raw(comparison)} (+hit.at, +hit.rank, +hit.doc)
    order by at ${sql.raw(direction)}, rank ${sql.raw(direction)}, doc ${sql.raw(direction)}
    limit ${sql.lit(count)})`;

interface PlaceRow {
  doc: number;
  container: number;
  thread: string;
  at: number;
  messages: number;
}

/** Rows in order as places; after a pause what nobody put into a thread begins another. */
const apartAfterPauses = (rows: readonly PlaceRow[]): ThreadPlace[] => {
  let pauses = 0;
  return rows.map(({ doc, container, thread, at, messages }, index) => {
    if (at - (rows[index - 1]?.at ?? at) > PAUSE_MS) pauses += 1;
    const name = thread === NAMELESS ? `${thread} ${pauses}` : thread;
    return { document: doc, thread: `${container} ${name}`, messages };
  });
};

/** These documents, as far as they are messages, and those beside them, in the order of each thread. */
export const threadPlaces = async (
  db: Db,
  reach: Reach,
  documents: readonly number[],
  count: number,
): Promise<ThreadPlace[]> => {
  const { rows } = await sql<PlaceRow>`
    with ${visiblePlaces(reach)}, ${visibleBeside}
    select distinct near.container, near.thread, near.at, near.rank, near.doc, near.messages
      from visible_places as hit inner join visible_beside as near on near.doc in (
        select hit.doc union all ${beside('<', 'desc', count)} union all ${beside('>', 'asc', count)})
      where hit.doc in ${inList(documents)}
      order by near.container, near.thread, near.at, near.rank, near.doc`.execute(db);
  return apartAfterPauses(rows);
};

// --- once ---------------------------------------------------------------------------------------------

/** Beside it: the last document that was looked at. */
const UNKNOWN = 'threads_unknown';

/** Documents from before threads were known; a slice at a time, true as long as there may be more. */
export const findThreads = async (tx: Db, limit: number): Promise<boolean> => {
  const left = await tx.selectFrom('meta').select('value').where('key', '=', UNKNOWN).executeTakeFirst();
  if (left === undefined) return false;
  const rows = await tx
    .selectFrom('documents')
    .select(['n', 'container', 'custom_id', 'metadata', 'created_at'])
    .where('n', '>', Number(left.value))
    .where('deleted', '=', sql.lit(0))
    .orderBy('n')
    .limit(limit)
    .execute();
  for (const row of rows)
    await moveInThread(tx, {
      n: row.n,
      container: row.container,
      customId: row.custom_id,
      metadata: row.metadata === null ? null : JSON.parse(row.metadata),
      createdAt: row.created_at,
    });
  const last = rows.at(-1);
  if (last && rows.length === limit)
    await tx
      .updateTable('meta')
      .set({ value: String(last.n) })
      .where('key', '=', UNKNOWN)
      .execute();
  else await tx.deleteFrom('meta').where('key', '=', UNKNOWN).execute();
  return rows.length === limit;
};
