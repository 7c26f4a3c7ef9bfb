// Documents that are read again for memories, after the reader changed: asked for, claimed, and finished.
import { sql } from '#kysely';
import { numberList } from '../../../engine/lists.ts';
import { lockDocuments, lockWithMemories } from '../../../engine/locks.ts';
import { run } from '../../../engine/run.ts';
import type { RedrawAsked, RedrawStatus } from '../../../ports/memories/memories.ts';
import type { HeldJob, PassageMemory, RedrawJob } from '../../../ports/memories/remembering.ts';
import type { ScopedRead, ScopedWrite } from '../../../statements/contexts.ts';
import { IN_WORK_TEXT } from '../../../statements/documents/document-steps.ts';
import { containersWithAny, holdsAllTags, LIVING_TEXT, visible } from '../../../statements/scoped-views.ts';
import type { Db } from '../../../tables/tables.ts';
import { eraseUnsupported } from '../erase.ts';
import { documentsToRead, type FreshLease, isLeaseStanding } from './memory-lease.ts';
import { READ, readMemoryJobs } from './remember.ts';

const ASKED_AT_ONCE = 500;
/** Erasing a memory takes up to half a millisecond. */
const DROPPED_AT_ONCE = 32;

type Tags = readonly string[] | undefined;

/** Documents with any of the tags that the call names. */
const underTags = (tags: Tags) =>
  tags === undefined ? sql<boolean>`true` : sql<boolean>`container in ${containersWithAny(tags)}`;

/** Asks for some of the documents after the given number; `last` null: there are no further ones. */
export const askToRedraw = async (
  { tx, reach }: Pick<ScopedWrite, 'tx' | 'reach'>,
  tags: Tags,
  after: number,
): Promise<RedrawAsked> => {
  const rows = await visible(tx, reach)
    .selectFrom('visible')
    .select(['n', 'tags'])
    .where('n', '>', after)
    .where(underTags(tags))
    .where('task_type', '=', sql.lit('memory'))
    .where('memory_state', 'in', [sql.lit('done'), sql.lit('waiting')])
    .where(
      sql<boolean>`exists (select 1 from chunks where chunks.doc = visible.n and read_for_memories = ${sql.lit(READ)})`,
    )
    .orderBy('n')
    .limit(ASKED_AT_ONCE)
    .execute();
  const held = rows.filter(({ tags }) => holdsAllTags(reach, JSON.parse(tags)));
  await lockDocuments(
    tx,
    held.map(({ n }) => n),
  );
  await tx
    .updateTable('documents')
    .set({ redraw: 'waiting', redraw_added: 0, redraw_removed: 0 })
    .where('n', 'in', numberList(held.map(({ n }) => n)))
    .execute();
  return {
    documents: held.length,
    last: rows.length < ASKED_AT_ONCE ? null : (rows.at(-1)?.n ?? null),
  };
};

const redrawStatus = async ({ db, reach }: ScopedRead, tags: Tags): Promise<RedrawStatus> => {
  const rows = await visible(db, reach)
    .selectFrom('visible')
    .select((eb) => [
      'redraw',
      eb.fn.countAll<number>().as('documents'),
      eb.fn.sum<number>('redraw_added').as('added'),
      eb.fn.sum<number>('redraw_removed').as('removed'),
    ])
    .where('redraw', 'is not', null)
    .where(underTags(tags))
    .groupBy('redraw')
    .execute();
  const count = (state: string) => rows.find(({ redraw }) => redraw === state)?.documents ?? 0;
  return {
    waiting: count('waiting'),
    done: count('done'),
    failed: count('failed'),
    added: rows.reduce((sum, { added }) => sum + added, 0),
    removed: rows.reduce((sum, { removed }) => sum + removed, 0),
  };
};

/** Written out as in the partial index of the migration. */
const WAITS_TO_REDRAW = `redraw = 'waiting' and ${LIVING_TEXT} and step = 'done' and memory_state = 'done'
  and memory_lease is null`;

/** A new document is read first: it is in the queue, or it waits to be read for memories. */
const NEW_DOCUMENT = `select 1 as found from documents
    where deleted = 0 and memory_state = 'waiting' and memory_due_at <= $1
  union all select 1 from documents
    where lease is null and deleted = 0 and ${IN_WORK_TEXT} and due_at <= $1
  limit 1`;

export const nextToRedraw = async (db: Db, limit: number, now: number): Promise<number[]> => {
  const { rows } = await run<{ n: number }>(
    db,
    `select n from documents where ${WAITS_TO_REDRAW} and memory_due_at <= $1 order by n limit 0 + $2`,
    [now, limit],
  );
  if (rows.length === 0) return [];
  const { rows: fresh } = await run(db, NEW_DOCUMENT, [now]);
  return fresh.length > 0 ? [] : rows.map(({ n }) => n);
};

/** Takes the chosen documents that still wait. */
export const leaseToRedraw = async (
  tx: Db,
  { boot, lease }: FreshLease,
  ns: readonly number[],
): Promise<void> => {
  await run(
    tx,
    `update documents set memory_lease = $1 where n in (select value from number_list($2)) and ${WAITS_TO_REDRAW}`,
    [lease, JSON.stringify(await documentsToRead(tx, boot, ns))],
  );
};

/** True for a chain in which a person forgot, judged, edited or added a version. */
const SETTLED = `exists (select 1 from memories as version where version.root = memories.root
  and (version.is_forgotten = 1 or version.review is not null
    or exists (select 1 from memory_sources as told where told.memory = version.n and told.chunk = '')))`;

const READ_PASSAGES = `select id from chunks where doc = $1 and read_for_memories = ${READ}`;

/** Memories of all states, so that one that was forgotten or replaced is known by its text. */
const statedMemories = async (db: Db, doc: number): Promise<PassageMemory[]> => {
  const { rows } = await run<Omit<PassageMemory, 'settled'> & { settled: number }>(
    db,
    `select memories.id, memories.memory, memories.slot, memory_sources.chunk,
       case when ${SETTLED} then 1 else 0 end as settled
       from memory_sources inner join memories on memories.n = memory_sources.memory
     where memory_sources.doc = $1 and memory_sources.chunk in (${READ_PASSAGES})`,
    [doc],
  );
  return rows.map(({ settled, ...memory }) => ({ ...memory, settled: settled === 1 }));
};

export const readRedrawJobs = async (db: Db, lease: string, ns: readonly number[]): Promise<RedrawJob[]> => {
  const jobs: RedrawJob[] = [];
  for (const job of await readMemoryJobs(db, lease, ns, READ))
    jobs.push({ ...job, stated: await statedMemories(db, job.document) });
  return jobs;
};

/** Some of the memories that were not drawn again lose the passages of the document; null: none is left. */
const dropSome = async (tx: Db, doc: number, dropped: readonly string[]): Promise<number | null> => {
  const { rows } = await run<{ memory: number }>(
    tx,
    `select distinct memory_sources.memory from memory_sources
       inner join memories on memories.n = memory_sources.memory
     where doc = $1 and chunk in (${READ_PASSAGES}) and memories.id in (select value from text_list($2))
       and not ${SETTLED} limit ${DROPPED_AT_ONCE}`,
    [doc, JSON.stringify(dropped)],
  );
  if (rows.length === 0) return null;
  const memories = rows.map(({ memory }) => memory);
  await run(
    tx,
    `delete from memory_sources where doc = $1 and chunk in (${READ_PASSAGES})
       and memory in (select value from number_list($2))`,
    [doc, JSON.stringify(memories)],
  );
  return eraseUnsupported(tx, memories);
};

/** The last part of a redraw. `added`: memories that were stored. */
export interface RedrawEnd {
  dropped: readonly string[];
  added: number;
}

/** True: memories were dropped, and there may be more; to be called again. */
export const endRedraw = async (tx: Db, job: HeldJob, { dropped, added }: RedrawEnd): Promise<boolean> => {
  await lockWithMemories(tx, job.document);
  if (!(await isLeaseStanding(tx, job))) return false;
  const erased = await dropSome(tx, job.document, dropped);
  const ended = { redraw: 'done', memory_lease: null, memory_attempts: 0 } as const;
  await tx
    .updateTable('documents')
    .set((eb) =>
      erased === null
        ? { ...ended, redraw_added: eb('redraw_added', '+', added) }
        : { redraw_removed: eb('redraw_removed', '+', erased) },
    )
    .where('n', '=', job.document)
    .execute();
  return erased !== null;
};

/** The reads of this file, under the names of the port. */
export const redrawReads = { redrawStatus };
