// The queries of the remember step: waiting documents, their texts, and the results.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { MemoryHarvest, MemoryJob, UnreadChunk } from '../../ports/remembering.ts';
import type { FillSpace } from '../../ports/spaces.ts';
import type { TokenCount } from '../../ports/usage.ts';
import { run } from '../../statements/run.ts';
import { inList } from '../../statements/scoped-views.ts';
import type { Db } from '../../tables/tables.ts';
import { addTokens } from '../access/usage.ts';
import { findComparableMemories } from './comparable.ts';
import { storeArrivals } from './store.ts';

const CHUNKS_BEFORE = 12;

/** Written out as in the partial indexes of the migrations: with parameters in it SQLite would read every document. */
const WAITS = `deleted = 0 and memory_state = 'waiting'`;

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
] as const;

const unreadChunks = (tx: Db, doc: number): Promise<UnreadChunk[]> =>
  tx
    .selectFrom('chunks')
    .select(CHUNK_COLUMNS)
    .where('doc', '=', doc)
    .where('read_for_memories', '=', sql.lit(0))
    .orderBy('position')
    .orderBy('part')
    .execute();

/** The nearest chunks before the first new one; they were read before. */
const readBefore = async (tx: Db, doc: number, position: number): Promise<UnreadChunk[]> => {
  const rows = await tx
    .selectFrom('chunks')
    .select(CHUNK_COLUMNS)
    .where('doc', '=', doc)
    .where('read_for_memories', '=', sql.lit(1))
    .where('position', '<=', position)
    .orderBy('position', 'desc')
    .orderBy('part', 'desc')
    .limit(CHUNKS_BEFORE)
    .execute();
  return rows.reverse();
};

/** For an edited text: the passages after the first new one that were read before. */
const readBelow = (tx: Db, doc: number, position: number): Promise<MemoryJob['below']> =>
  tx
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
const heardAt = async (tx: Db, { n, created_at }: Waiting): Promise<number> => {
  const { at } = await tx
    .selectFrom('submissions')
    .select((eb) => eb.fn.max<number | null>('created_at').as('at'))
    .where('doc', '=', n)
    .where((eb) => eb.or([eb('decision', 'is', null), eb('decision', '<>', 'created')]))
    .executeTakeFirstOrThrow();
  return at ?? created_at;
};

const tagsOfContainer = async (tx: Db, container: number) =>
  tx
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
  metadata: string | null;
  memory_attempts: number;
  context_filter: string | null;
  sent_by: string | null;
  created_at: number;
}

const WAITING = [
  'n',
  'id',
  'container',
  'title',
  'metadata',
  'memory_attempts',
  'context_filter',
  'sent_by',
  'created_at',
] as const;

const memoryJob = async (tx: Db, row: Waiting, lease: string): Promise<MemoryJob> => {
  const fresh = await unreadChunks(tx, row.n);
  const from = fresh[0]?.position ?? 0;
  const tags = await tagsOfContainer(tx, row.container);
  return {
    document: row.n,
    documentId: row.id,
    container: row.container,
    tagNumbers: tags.map((tag) => tag.n),
    tags: tags.map((tag) => tag.tag),
    title: row.title,
    metadata: row.metadata === null ? null : JSON.parse(row.metadata),
    documentDate: fresh.find((chunk) => chunk.date !== null)?.date ?? null,
    heardAt: await heardAt(tx, row),
    below: await readBelow(tx, row.n, from),
    lease,
    attempts: row.memory_attempts,
    fresh,
    around: await readBefore(tx, row.n, from),
    entityContext: tags.flatMap((tag) => (tag.entity_context === null ? [] : [tag.entity_context])),
    contextFilter: row.context_filter === null ? null : JSON.parse(row.context_filter),
    sentBy: row.sent_by,
  };
};

/** Documents that a caller waits for come in the order of time, all others grouped by container. */
const QUEUES = {
  instant: `${WAITS} and dreaming = 'instant' and memory_lease is null and memory_due_at <= ? order by memory_due_at, n`,
  dynamic: `${WAITS} and dreaming <> 'instant' and memory_lease is null and memory_due_at <= ? order by container, n`,
} as const;

type Queue = keyof typeof QUEUES;

const queuesOf = (dreaming: Queue | undefined): readonly Queue[] =>
  dreaming === undefined ? ['instant', 'dynamic'] : [dreaming];

const waitingIn = async (tx: Db, queue: Queue, limit: number, now: number): Promise<number[]> => {
  const statement = `select n from documents where ${QUEUES[queue]} limit 0 + ?`;
  const { rows } = await run<{ n: number }>(tx, statement, [now, limit]);
  return rows.map(({ n }) => n);
};

/** Runs before a claim, on the reading connection, so that it delays no write. */
export const anyDocumentWaits = async (
  db: Db,
  dreaming: Queue | undefined,
  now: number,
): Promise<boolean> => {
  for (const queue of queuesOf(dreaming)) if ((await waitingIn(db, queue, 1, now)).length > 0) return true;
  return false;
};

export const claimToRemember = async (
  tx: Db,
  limit: number,
  dreaming: Queue | undefined,
  now: number,
): Promise<MemoryJob[]> => {
  const waiting: number[] = [];
  for (const queue of queuesOf(dreaming))
    waiting.push(...(await waitingIn(tx, queue, limit - waiting.length, now)));
  if (waiting.length === 0) return [];
  const lease = randomBytes(12).toString('base64url');
  const rows = await tx
    .updateTable('documents')
    .set({ memory_lease: lease })
    .where('n', 'in', inList(waiting))
    .returning(WAITING)
    .execute();
  rows.sort((a, b) => waiting.indexOf(a.n) - waiting.indexOf(b.n));
  const jobs: MemoryJob[] = [];
  for (const row of rows) jobs.push(await memoryJob(tx, row, lease));
  return jobs;
};

const isLeaseStanding = async (tx: Db, job: MemoryJob): Promise<boolean> => {
  const row = await tx
    .selectFrom('documents')
    .select('n')
    .where('n', '=', job.document)
    .where('memory_lease', '=', job.lease)
    .where('deleted', '=', sql.lit(0))
    .executeTakeFirst();
  return row !== undefined;
};

/** Chunks that were added and documents that were changed meanwhile are read in the next round. */
const finishReading = async (tx: Db, job: MemoryJob): Promise<void> => {
  await tx
    .updateTable('chunks')
    .set({ read_for_memories: 1 })
    .where('n', 'in', inList(job.fresh.map((chunk) => chunk.n)))
    .execute();
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

/** The chunks of the job that still exist, with their positions: removed text is not a source. */
const livingChunks = async (tx: Db, job: MemoryJob): Promise<Map<string, number>> => {
  const rows = await tx
    .selectFrom('chunks')
    .select(['id', 'position'])
    .where('n', 'in', inList(job.fresh.map((chunk) => chunk.n)))
    .execute();
  return new Map(rows.map((row) => [row.id, row.position]));
};

export const storeHarvest = async (
  tx: Db,
  harvest: MemoryHarvest,
  spaces: readonly FillSpace[],
  now: number,
): Promise<void> => {
  const { job } = harvest;
  if (!(await isLeaseStanding(tx, job))) return;
  const living = await livingChunks(tx, job);
  const relations = harvest.relationsOf(
    await findComparableMemories(tx, { ...job, wanted: harvest.wanted }, now),
  );
  const arrivals = harvest.prepared.map((prepared, index) => {
    const chunks = (harvest.chunks[index] ?? []).filter((chunk) => living.has(chunk));
    return {
      prepared,
      relations: relations[index] ?? [],
      chunks,
      said: { saidAt: prepared.documentDate, heardAt: job.heardAt },
      position: Math.max(...chunks.map((chunk) => living.get(chunk) ?? 0)),
    };
  });
  const below = new Map(job.below.map(({ memory, position }) => [memory, position]));
  await storeArrivals({ tx, now, container: job, spaces }, { doc: job.document, below }, arrivals);
  await finishReading(tx, job);
};

const updateLeased = (tx: Db, job: MemoryJob) =>
  tx.updateTable('documents').where('n', '=', job.document).where('memory_lease', '=', job.lease);

export const memoryFailed = async (
  tx: Db,
  job: MemoryJob,
  failure: { code: string; message: string; retryable: boolean },
): Promise<void> => {
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

export const memoryLater = async (tx: Db, job: MemoryJob, dueAt: number): Promise<void> => {
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
  job: MemoryJob,
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
