// Threads: documents that follow each other like messages. The place of each depends on the sender's metadata and its time.

import { threadOf } from '../../../../core/documents/thread-name.ts';
import type { Reach } from '../../../../core/scope.ts';
import { run } from '../../engine/run.ts';
import type { Metadata } from '../../ports/metadata.ts';
import type { ThreadPlace } from '../../ports/threads.ts';
import type { ScopedRead } from '../../statements/contexts.ts';
import { CONTAINERS_WITH_ANY, LIVING } from '../../statements/scoped-views.ts';
import type { Db } from '../../tables/tables.ts';

export interface ThreadMember {
  n: number;
  container: number;
  customId: string | null;
  metadata: Metadata | null;
  createdAt: number;
}

/** A document of more chunks is an attachment of the thread and not a message, unless it is a conversation. */
const PIECES_OF_A_MESSAGE = 4;

/** For messages without a thread: those that follow each other in time belong together. */
const NAMELESS = 'nameless';
/** A longer conversation contains its own context. */
const MESSAGES_OF_A_PART = 3;
/** After such a pause the topic has changed. */
const PAUSE_MS = 30 * 60_000;

/** Only documents with a speaker: notes that follow each other are not related. */
const placeNameless = async (tx: Db, doc: number): Promise<void> => {
  await run(tx, `delete from thread_places where doc = $1 and thread = '${NAMELESS}'`, [doc]);
  await run(
    tx,
    `insert into thread_places (doc, container, thread, arrived, said, messages)
       select documents.n, documents.container, '${NAMELESS}', documents.created_at, measured.said, measured.messages
       from documents, (select max(position) + 1 as messages, min(flags & 1) as spoken,
         (select date from chunks where doc = $1 order by position, part limit 1) as said from chunks where doc = $1) as measured
       where documents.n = $1 and measured.spoken = 1 and measured.messages <= ${MESSAGES_OF_A_PART}
         and not exists (select 1 from thread_places where doc = $1)`,
    [doc],
  );
};

/** The documents among these that have a place. */
export const placedDocuments = async (tx: Db, docs: readonly number[]): Promise<ReadonlySet<number>> => {
  const { rows } = await run<{ doc: number }>(
    tx,
    'select doc from thread_places where doc in (select value from number_list($1))',
    [JSON.stringify(docs)],
  );
  return new Set(rows.map(({ doc }) => doc));
};

/** Reads the time of the document and the number of its messages from the chunks; none while it is not searchable. */
export const measurePlace = async (tx: Db, doc: number): Promise<void> => {
  await run(
    tx,
    `update thread_places set
       said = (select date from chunks where doc = $1 order by position, part limit 1),
       messages = coalesce((select case when count(*) <= ${PIECES_OF_A_MESSAGE} or max(flags & 1) = 1
         then max(position) + 1 else 0 end from chunks where doc = $1), 0)
     where doc = $1`,
    [doc],
  );
  await placeNameless(tx, doc);
};

const setPlace = (tx: Db, document: ThreadMember, thread: string, number: number | null) =>
  run(
    tx,
    `insert into thread_places (doc, container, thread, number, arrived) values ($1, $2, $3, $4, $5)
       on conflict (doc) do update set container = excluded.container, thread = excluded.thread, number = excluded.number`,
    [document.n, document.container, thread, number, document.createdAt],
  );

/** For a document without chunks yet. */
export const addToThread = async (tx: Db, document: ThreadMember): Promise<void> => {
  const thread = threadOf(document.customId, document.metadata);
  if (thread !== null) await setPlace(tx, document, thread.key, thread.number);
};

/** For a document whose customId or metadata may have changed. */
export const moveInThread = async (tx: Db, document: ThreadMember): Promise<void> => {
  const thread = threadOf(document.customId, document.metadata);
  if (thread === null) {
    await run(tx, 'delete from thread_places where doc = $1', [document.n]);
    return placeNameless(tx, document.n);
  }
  await setPlace(tx, document, thread.key, thread.number);
  await measurePlace(tx, document.n);
};

/** A document without a thread name is grouped with others without one. */
export const giveUpName = (tx: Db, doc: number) =>
  run(
    tx,
    `update thread_places set thread = thread || ' once in ' || container where doc = $1 and thread like 'counted %'`,
    [doc],
  );

// --- reading -----------------------------------------------------------------------------------------

const PLACES = `select doc, container, thread, at, rank, messages from thread_places
  where messages > 0 and doc not in (select doc from documents_hidden)`;

const ALL_PLACES = `visible_places as (${PLACES})`;
/** With one parameter: the tags. */
const TAGGED_PLACES = `visible_places as (${PLACES} and container in ${CONTAINERS_WITH_ANY})`;

const visiblePlaces = ({ reads }: Reach): { text: string; parameters: string[] } =>
  reads === null
    ? { text: ALL_PLACES, parameters: [] }
    : { text: TAGGED_PLACES, parameters: [JSON.stringify(reads)] };

/** Must be joined by the container of visible rows: a second check of visibility would double the work. */
const VISIBLE_BESIDE = `visible_beside as (${PLACES})`;

const anyPlace = (places: string): string => `with ${places} select doc from visible_places limit 1`;

/** Built once: every search asks it. */
const ANY_PLACE = { everything: anyPlace(ALL_PLACES), tagged: anyPlace(TAGGED_PLACES) };

/** True when the reach holds a message of a thread. */
export const anyThread = async (db: Db, reach: Reach): Promise<boolean> => {
  const { parameters } = visiblePlaces(reach);
  const { rows } = await run(db, ANY_PLACE[reach.reads === null ? 'everything' : 'tagged'], parameters);
  return rows.length > 0;
};

/** The plus signs keep a planner from comparing column with column, which an index could not serve. */
const placesBeside = (comparison: '<' | '>', direction: 'desc' | 'asc', count: number): string => `
  select doc from (select doc from visible_beside as other
    where other.container = hit.container and other.thread = hit.thread
      and (other.at, other.rank, other.doc) ${comparison} (+hit.at, +hit.rank, +hit.doc)
    order by at ${direction}, rank ${direction}, doc ${direction}
    limit ${count}) as beside`;

interface PlaceRow {
  doc: number;
  container: number;
  thread: string;
  at: number;
  messages: number;
}

/** Numbers rows in order; without a thread name, a pause starts another group. */
const apartAfterPauses = (rows: readonly PlaceRow[]): ThreadPlace[] => {
  let pauses = 0;
  return rows.map(({ doc, container, thread, at, messages }, index) => {
    if (at - (rows[index - 1]?.at ?? at) > PAUSE_MS) pauses += 1;
    const name = thread === NAMELESS ? `${thread} ${pauses}` : thread;
    return { document: doc, thread: `${container} ${name}`, messages };
  });
};

/** The documents among these that are messages, with their neighbours, in the order of each thread. */
const threadPlaces = async (
  { db, reach }: ScopedRead,
  documents: readonly number[],
  count: number,
): Promise<ThreadPlace[]> => {
  const visible = visiblePlaces(reach);
  const { rows } = await run<PlaceRow>(
    db,
    `with ${visible.text}, ${VISIBLE_BESIDE}
    select distinct near.container, near.thread, near.at, near.rank, near.doc, near.messages
      from visible_places as hit inner join visible_beside as near on near.doc in (
        select hit.doc union all ${placesBeside('<', 'desc', count)} union all ${placesBeside('>', 'asc', count)})
      where hit.doc in (select value from number_list($${visible.parameters.length + 1}))
      order by near.container, near.thread, near.at, near.rank, near.doc`,
    [...visible.parameters, JSON.stringify(documents)],
  );
  return apartAfterPauses(rows);
};

// --- once ---------------------------------------------------------------------------------------------

/** The key of the setting with the last document that was checked. */
const THREADS_UNKNOWN = 'threads_unknown';

/** Documents from before threads were known; a slice at a time, true as long as there may be more. */
export const findThreads = async (tx: Db, limit: number): Promise<boolean> => {
  const left = await tx
    .selectFrom('meta')
    .select('value')
    .where('key', '=', THREADS_UNKNOWN)
    .executeTakeFirst();
  if (left === undefined) return false;
  const rows = await tx
    .selectFrom('documents')
    .select(['n', 'container', 'custom_id', 'metadata', 'created_at'])
    .where('n', '>', Number(left.value))
    .where(LIVING)
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
      .where('key', '=', THREADS_UNKNOWN)
      .execute();
  else await tx.deleteFrom('meta').where('key', '=', THREADS_UNKNOWN).execute();
  return rows.length === limit;
};

/** The reads of this file, under the names of the port. */
export const threadReads = { threads: threadPlaces };
