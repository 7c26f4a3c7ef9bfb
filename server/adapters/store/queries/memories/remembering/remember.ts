// The queries of the remember step: waiting documents, their texts, and the results.
import { sql } from '#kysely';
import { sha256 } from '../../../../../lib/hash.ts';
import { numberList } from '../../../engine/lists.ts';
import { lockDocuments, lockMemoriesOf } from '../../../engine/locks.ts';
import type {
  HarvestAnswer,
  HarvestSlice,
  HeldJob,
  MemoryJob,
  StoredMemory,
  UnreadChunk,
} from '../../../ports/memories/remembering.ts';
import type { FillSpace } from '../../../ports/spaces.ts';
import type { TokenCount } from '../../../ports/usage/usage.ts';
import type { ChunksTable, Db } from '../../../tables/tables.ts';
import { addTokens } from '../../access/usage.ts';
import { findComparableMemories } from '../comparable.ts';
import { storeArrivals } from '../store.ts';
import { givenFacts } from './given-facts.ts';
import { isLeaseStanding } from './memory-lease.ts';

const CHUNKS_BEFORE = 12;
const BEFORE_ALL = -1;

/** The marks of chunks that were not read for memories yet, and of those that were. */
const UNREAD = 0;
export const READ = 1;

const CHUNK_COLUMNS = [
  'n',
  'id',
  'position',
  'part',
  'flags',
  'content as text',
  'speaker',
  'role',
  'date',
  'created_at as storedAt',
] as const;

const chunksMarked = (db: Db, doc: number, mark: number): Promise<UnreadChunk[]> =>
  db
    .selectFrom('chunks')
    .select(CHUNK_COLUMNS)
    .where('doc', '=', doc)
    .where('read_for_memories', '=', sql.lit(mark))
    .orderBy('position')
    .orderBy('part')
    .execute();

/** The nearest chunks before the first new one; they were read before. */
const readBefore = async (db: Db, doc: number, position: number): Promise<UnreadChunk[]> => {
  const rows = await db
    .selectFrom('chunks')
    .select(CHUNK_COLUMNS)
    .where('doc', '=', doc)
    .where('read_for_memories', '>', sql.lit(0))
    .where('position', '<=', position)
    .orderBy('position', 'desc')
    .orderBy('part', 'desc')
    .limit(CHUNKS_BEFORE)
    .execute();
  return rows.reverse();
};

/** For an edited text: the passages after the first new one that were read before. */
const readBelow = (db: Db, doc: number, position: number): Promise<MemoryJob['below']> =>
  db
    .selectFrom('chunks')
    .innerJoin('memory_sources', (join) =>
      join.onRef('memory_sources.doc', '=', 'chunks.doc').onRef('memory_sources.chunk', '=', 'chunks.id'),
    )
    .select((eb) => ['memory_sources.memory', eb.fn.max('chunks.position').as('position')])
    .where('chunks.doc', '=', doc)
    .where('chunks.position', '>', position)
    .groupBy('memory_sources.memory')
    .execute();

/** The time of the latest submission, or the creation of a document that was sent once. */
const heardAt = async (db: Db, { n, created_at }: Waiting): Promise<number> => {
  const { at } = await db
    .selectFrom('submissions')
    .select((eb) => eb.fn.max<number | null>('created_at').as('at'))
    .where('doc', '=', n)
    .where((eb) => eb.or([eb('decision', 'is', null), eb('decision', '<>', 'created')]))
    .executeTakeFirstOrThrow();
  return at ?? created_at;
};

const isSentText = async (db: Db, { n, url }: Waiting): Promise<boolean> => {
  if (url !== null) return false;
  const file = await db.selectFrom('files').select('key').where('doc', '=', n).executeTakeFirst();
  return file === undefined;
};

const tagsOfContainer = async (db: Db, container: number) =>
  db
    .selectFrom('container_tags')
    .innerJoin('tags', 'tags.n', 'container_tags.tag')
    .select(['tags.n', 'tags.tag', 'tags.entity_context'])
    .where('container_tags.container', '=', container)
    .execute();

interface Waiting {
  n: number;
  id: string;
  container: number;
  title: string | null;
  url: string | null;
  metadata: string | null;
  memory_attempts: number;
  indexed_revision: number;
  context_filter: string | null;
  sent_by: string | null;
  created_at: number;
}

const WAITING = [
  'n',
  'id',
  'container',
  'title',
  'url',
  'metadata',
  'memory_attempts',
  'indexed_revision',
  'context_filter',
  'sent_by',
  'created_at',
] as const;

/** `mark`: that of the chunks that are read. */
const memoryJob = async (db: Db, row: Waiting, lease: string, mark: number): Promise<MemoryJob> => {
  const fresh = await chunksMarked(db, row.n, mark);
  const from = fresh[0]?.position ?? 0;
  const isAgain = mark === READ;
  const tags = await tagsOfContainer(db, row.container);
  return {
    document: row.n,
    documentId: row.id,
    container: row.container,
    tagNumbers: tags.map((tag) => tag.n),
    tags: tags.map((tag) => tag.tag),
    title: row.title,
    metadata: row.metadata === null ? null : JSON.parse(row.metadata),
    documentDate: fresh.find((chunk) => chunk.date !== null)?.date ?? null,
    heardAt: await heardAt(db, row),
    isSentText: await isSentText(db, row),
    below: await readBelow(db, row.n, isAgain ? BEFORE_ALL : from),
    lease,
    revision: row.indexed_revision,
    attempts: row.memory_attempts,
    fresh,
    given: isAgain ? null : await givenFacts(db, row.n),
    around: isAgain ? [] : await readBefore(db, row.n, from),
    entityContext: tags.flatMap((tag) => (tag.entity_context === null ? [] : [tag.entity_context])),
    contextFilter: row.context_filter === null ? null : JSON.parse(row.context_filter),
    sentBy: row.sent_by,
  };
};

/** The documents under this lease with their texts: those that are new, or those that were read before. */
export const readMemoryJobs = async (
  db: Db,
  lease: string,
  ns: readonly number[],
  mark: typeof UNREAD | typeof READ = UNREAD,
): Promise<MemoryJob[]> => {
  const rows = await db
    .selectFrom('documents')
    .select(WAITING)
    .where('n', 'in', numberList(ns))
    .where('memory_lease', '=', lease)
    .execute();
  rows.sort((a, b) => ns.indexOf(a.n) - ns.indexOf(b.n));
  const jobs: MemoryJob[] = [];
  for (const row of rows) jobs.push(await memoryJob(db, row, lease, mark));
  return jobs;
};

/** The chunks of a harvest that still exist: removed text is not a source. */
const livingChunks = async (
  tx: Db,
  ns: readonly number[],
): Promise<Map<string, Pick<ChunksTable, 'position' | 'created_at'>>> => {
  const rows = await tx
    .selectFrom('chunks')
    .select(['id', 'position', 'created_at'])
    .where('n', 'in', numberList(ns))
    .execute();
  return new Map(rows.map(({ id, ...chunk }) => [id, chunk]));
};

const comparableTo = ({ job, wanted }: HarvestSlice, db: Db, now: number): Promise<StoredMemory[]> =>
  findComparableMemories(db, { ...job, wanted }, now);

/** Two equal marks: the relations that were found with one hold for the other. */
export const knownMark = (known: readonly StoredMemory[]): string => sha256(JSON.stringify(known));

/** Marks chunks as read. Chunks that were added and documents that were changed meanwhile are read in the next round. */
export const markRead = async (tx: Db, job: HeldJob, ns: readonly number[], last: boolean): Promise<void> => {
  await lockDocuments(tx, [job.document]);
  if (!(await isLeaseStanding(tx, job))) return;
  await tx.updateTable('chunks').set({ read_for_memories: READ }).where('n', 'in', numberList(ns)).execute();
  if (!last) return;
  const more = await tx
    .selectFrom('chunks')
    .select('n')
    .where('doc', '=', job.document)
    .where('read_for_memories', '=', sql.lit(0))
    .limit(1)
    .executeTakeFirst();
  await tx
    .updateTable('documents')
    .set({
      memory_state: more ? 'waiting' : 'done',
      memory_lease: null,
      memory_attempts: 0,
      memory_failure_code: null,
      memory_failure_message: null,
      memory_failure_retryable: null,
    })
    .where('n', '=', job.document)
    .execute();
};

/**
 * Stores some of the memories that were drawn from one document. The relations were found outside of the transaction:
 * if other memories are stored by now, they are returned instead, and the caller finds the relations again.
 */
export const storeHarvestSlice = async (
  tx: Db,
  slice: HarvestSlice,
  spaces: readonly FillSpace[],
  now: number,
): Promise<HarvestAnswer> => {
  const { job } = slice;
  await lockMemoriesOf(tx, [job.container]);
  await lockDocuments(tx, [job.document]);
  if (!(await isLeaseStanding(tx, job))) return { outcome: 'lost' };
  const known = await comparableTo(slice, tx, now);
  if (knownMark(known) !== slice.mark) return { outcome: 'changed', known };
  const living = await livingChunks(tx, slice.chunks);
  const arrivals = slice.statements.map(({ prepared, relations, stated }) => {
    const chunks = stated.filter((chunk) => living.has(chunk));
    const places = chunks.flatMap((chunk) => living.get(chunk) ?? []);
    // A passage that was stored before the latest submission came with an earlier one.
    const storedAt = Math.max(...places.map(({ created_at }) => created_at));
    const heardAt = places.length === 0 ? job.heardAt : Math.min(job.heardAt, storedAt);
    return {
      prepared,
      relations,
      chunks,
      said: { saidAt: prepared.documentDate, heardAt },
      position: Math.max(...places.map(({ position }) => position)),
    };
  });
  const below = new Map(job.below.map(({ memory, position }) => [memory, position]));
  const write = { tx, now, container: job, spaces };
  const document = { doc: job.document, below, statedSince: slice.statedSince };
  const stored = await storeArrivals(write, document, arrivals);
  if (slice.read.length > 0) await markRead(tx, job, slice.read, true);
  return {
    outcome: 'stored',
    ids: stored.map((row) => row?.id ?? null),
    mark: slice.last ? slice.mark : knownMark(await comparableTo(slice, tx, now)),
  };
};

const updateLeased = (tx: Db, job: HeldJob) =>
  tx.updateTable('documents').where('n', '=', job.document).where('memory_lease', '=', job.lease);

/** A document that was read before keeps its memories. */
export const memoryFailed = async (
  tx: Db,
  job: HeldJob,
  failure: { code: string; message: string; retryable: boolean },
): Promise<void> => {
  await updateLeased(tx, job)
    .set({ redraw: 'failed', memory_lease: null, memory_attempts: 0 })
    .where('memory_state', '<>', sql.lit('waiting'))
    .execute();
  await updateLeased(tx, job)
    .set({
      memory_state: 'failed',
      memory_lease: null,
      memory_attempts: 0,
      memory_failure_code: failure.code,
      memory_failure_message: failure.message,
      memory_failure_retryable: failure.retryable ? 1 : 0,
    })
    .execute();
};

export const memoryLater = async (tx: Db, job: HeldJob, dueAt: number): Promise<void> => {
  await updateLeased(tx, job)
    .set((eb) => ({
      memory_lease: null,
      memory_due_at: dueAt,
      memory_attempts: eb('memory_attempts', '+', 1),
    }))
    .execute();
};

/** The tokens were paid for, even if the document was changed or deleted meanwhile. */
export const countJobTokens = async (
  tx: Db,
  job: Pick<MemoryJob, 'document' | 'sentBy' | 'tags'>,
  tokens: TokenCount,
  now: number,
): Promise<void> => {
  await tx
    .updateTable('documents')
    .set((eb) => ({
      input_tokens: eb('input_tokens', '+', tokens.inputTokens),
      output_tokens: eb('output_tokens', '+', tokens.outputTokens),
    }))
    .where('n', '=', job.document)
    .execute();
  await addTokens(tx, { key: job.sentBy, tags: job.tags }, tokens, now);
};
