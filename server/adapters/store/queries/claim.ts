// The document row is the job: claiming it, reporting on it, handing it back.
import { randomBytes } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import type { Claim, IndexedChunk, PendingSubmission, Share, StepNews } from '../ingest-port.ts';
import type { Failure } from '../port.ts';
import type { Db } from '../tables.ts';
import { inList } from './visible.ts';

/** A document that was in hand when the process died this often is claimed alone, then given up. */
const CRASHES_BEFORE_ALONE = 2;
const CRASHES_BEFORE_FAILED = 5;

/** Written out as in the partial indexes of the migration: with parameters in it SQLite would read every document. */
const WAITS = `lease is null and deleted = 0 and step not in ('done', 'failed')`;
const SUSPECT = `${WAITS} and crashes >= ${CRASHES_BEFORE_ALONE}`;

export const takeOver = async (tx: Db, boot: string, now: number): Promise<{ resumed: number }> => {
  await tx
    .updateTable('documents')
    .set({ memory_lease: null })
    .where('memory_lease', 'is not', null)
    .execute();
  const resumed = await tx
    .updateTable('documents')
    .set((eb) => ({
      step: 'queued',
      lease: null,
      lease_boot: null,
      crashes: eb('crashes', '+', 1),
      progress_done: null,
      progress_total: null,
    }))
    .where('lease', 'is not', null)
    .where('lease_boot', '<>', boot)
    .executeTakeFirst();
  await tx.executeQuery(
    CompiledQuery.raw(
      `update documents set step = 'failed', failure_code = 'crashed_repeatedly', failure_message = ?,
         failure_retryable = 1, updated_at = ?
       where ${SUSPECT} and crashes >= ${CRASHES_BEFORE_FAILED}`,
      [
        `The server stopped ${CRASHES_BEFORE_FAILED} times while it read this document, so it is left alone. Send it again to retry.`,
        now,
      ],
    ),
  );
  return { resumed: Number(resumed.numUpdatedRows) };
};

const suspect = async (tx: Db, now: number): Promise<number[]> => {
  const { rows } = await tx.executeQuery<{ n: number }>(
    CompiledQuery.raw(`select n from documents where ${SUSPECT} and due_at <= ? limit 1`, [now]),
  );
  return rows.map((row) => row.n);
};

/** A loose index scan: the next containers after the cursor in which something waits. */
const waitingContainers = (limit: string): string => `
  with recursive waiting (container) as (
    select min(container) from documents where ${WAITS} and container > ?1
    union all
    select (select min(container) from documents where ${WAITS} and container > waiting.container)
    from waiting where waiting.container is not null ${limit})`;

const WAITING = `${waitingContainers('limit ?2')} select container from waiting where container is not null`;

const OLDEST = `
  select n from documents where ${WAITS} and container = ?1 and due_at <= ?2 and crashes < ${CRASHES_BEFORE_ALONE}
  order by due_at, n limit ?3`;

const NEXT_DUE = `${waitingContainers('')}
  select min((select min(due_at) from documents where ${WAITS} and container = waiting.container)) as due
  from waiting where container is not null`;

interface FairChoice {
  ns: number[];
  /** The last container that was looked at; null: none waits after the cursor. */
  last: number | null;
}

/** A few documents of each container that waits, so nobody starves; the fewer wait, the more of each. */
const fairChoice = async (tx: Db, cursor: number, share: Share, now: number): Promise<FairChoice> => {
  const { rows: waiting } = await tx.executeQuery<{ container: number }>(
    CompiledQuery.raw(WAITING, [cursor, share.containers]),
  );
  const each = Math.ceil(share.documents / Math.max(1, waiting.length));
  const ns: number[] = [];
  for (const { container } of waiting) {
    const { rows } = await tx.executeQuery<{ n: number }>(CompiledQuery.raw(OLDEST, [container, now, each]));
    ns.push(...rows.map((row) => row.n));
  }
  return { ns, last: waiting.at(-1)?.container ?? null };
};

/** Once around all containers: those whose documents wait for their time must not hide the others. */
const nextChoice = async (tx: Db, cursor: number, share: Share, now: number): Promise<FairChoice> => {
  let from = cursor;
  let wrapped = cursor === 0;
  for (;;) {
    const choice = await fairChoice(tx, from, share, now);
    if (choice.ns.length > 0) return choice;
    if (choice.last === null && wrapped) return choice;
    if (choice.last === null) wrapped = true;
    from = choice.last ?? 0;
  }
};

const pendingSubmissions = async (
  tx: Db,
  ns: readonly number[],
): Promise<Map<number, PendingSubmission[]>> => {
  const rows = await tx
    .selectFrom('submissions')
    .select(['n', 'doc', 'mode', 'content'])
    .where('doc', 'in', inList(ns))
    .where('decision', 'is', null)
    .orderBy('n')
    .execute();
  const byDocument = new Map<number, PendingSubmission[]>();
  for (const { doc, n, mode, content } of rows) {
    const list = byDocument.get(doc) ?? [];
    list.push({ n, mode, content: content ?? '' });
    byDocument.set(doc, list);
  }
  return byDocument;
};

const indexedChunks = async (tx: Db, ns: readonly number[]): Promise<Map<number, IndexedChunk[]>> => {
  const byDocument = new Map<number, IndexedChunk[]>();
  if (ns.length === 0) return byDocument;
  const rows = await tx
    .selectFrom('chunks')
    .select(['n', 'id', 'doc', 'position', 'part', 'flags', 'input_hash', 'body_tokens', 'message_tokens'])
    .where('doc', 'in', inList(ns))
    .orderBy('doc')
    .orderBy('position')
    .orderBy('part')
    .execute();
  for (const row of rows) {
    const list = byDocument.get(row.doc) ?? [];
    list.push({
      n: row.n,
      id: row.id,
      position: row.position,
      part: row.part,
      flags: row.flags,
      inputHash: row.input_hash,
      bodyTokens: row.body_tokens,
      messageTokens: row.message_tokens,
    });
    byDocument.set(row.doc, list);
  }
  return byDocument;
};

const tagNumbers = async (tx: Db, containers: readonly number[]): Promise<Map<number, number[]>> => {
  const rows = await tx
    .selectFrom('container_tags')
    .select(['container', 'tag'])
    .where('container', 'in', inList([...new Set(containers)]))
    .execute();
  const byContainer = new Map<number, number[]>();
  for (const { container, tag } of rows)
    byContainer.set(container, [...(byContainer.get(container) ?? []), tag]);
  return byContainer;
};

const lease = async (tx: Db, ns: readonly number[], boot: string): Promise<Claim[]> => {
  if (ns.length === 0) return [];
  const token = randomBytes(12).toString('base64url');
  const rows = await tx
    .updateTable('documents')
    .set({ lease: token, lease_boot: boot, step: 'extracting' })
    .where('n', 'in', inList(ns))
    .returning([
      'n',
      'id',
      'container',
      'type',
      'title',
      'title_given',
      'content',
      'layout',
      'url',
      'filepath',
      'metadata',
      'revision',
      'attempts',
      'chunks',
      'chunk_size',
      'created_at',
    ])
    .execute();
  const submissions = await pendingSubmissions(
    tx,
    rows.filter((row) => row.revision > 1).map((row) => row.n),
  );
  const chunks = await indexedChunks(
    tx,
    rows.filter((row) => row.chunks > 0).map((row) => row.n),
  );
  const tags = await tagNumbers(
    tx,
    rows.map((row) => row.container),
  );
  return rows.map((row) => ({
    n: row.n,
    id: row.id,
    container: row.container,
    tagNumbers: tags.get(row.container) ?? [],
    type: row.type,
    title: row.title_given === 1 ? row.title : null,
    content: row.content ?? '',
    layout: row.layout === null ? null : JSON.parse(row.layout),
    url: row.url,
    filepath: row.filepath,
    metadata: row.metadata === null ? null : JSON.parse(row.metadata),
    revision: row.revision,
    lease: token,
    attempts: row.attempts,
    chunkSize: row.chunk_size,
    createdAt: row.created_at,
    submissions: submissions.get(row.n) ?? [],
    chunks: chunks.get(row.n) ?? [],
  }));
};

export const claim = async (
  tx: Db,
  boot: string,
  cursor: number,
  share: Share,
  now: number,
): Promise<{ claims: Claim[]; cursor: number }> => {
  const alone = await suspect(tx, now);
  if (alone.length > 0) return { claims: await lease(tx, alone, boot), cursor };
  const { ns, last } = await nextChoice(tx, cursor, share, now);
  return { claims: await lease(tx, ns, boot), cursor: last ?? 0 };
};

export const nextDue = async (db: Db): Promise<number | null> => {
  const { rows } = await db.executeQuery<{ due: number | null }>(CompiledQuery.raw(NEXT_DUE, [0]));
  return rows[0]?.due ?? null;
};

/** Only while lease and revision stand; otherwise somebody newer speaks for the document. */
const fenced = (tx: Db, held: Claim) =>
  tx
    .updateTable('documents')
    .where('n', '=', held.n)
    .where('lease', '=', held.lease)
    .where('revision', '=', held.revision)
    .where('deleted', '=', 0);

export const report = async (tx: Db, news: readonly StepNews[]): Promise<void> => {
  for (const { claim: held, step, progress } of news)
    await fenced(tx, held)
      .set({ step, progress_done: progress?.done ?? null, progress_total: progress?.total ?? null })
      .execute();
};

const failure = (reason: Failure) => ({
  failure_code: reason.code,
  failure_message: reason.message,
  failure_retryable: reason.retryable ? 1 : 0,
  progress_done: null,
  progress_total: null,
});

export const fail = async (tx: Db, held: Claim, reason: Failure, now: number): Promise<void> => {
  await fenced(tx, held)
    .set({ step: 'failed', lease: null, lease_boot: null, crashes: 0, updated_at: now, ...failure(reason) })
    .execute();
};

export const retryLater = async (tx: Db, held: Claim, reason: Failure, dueAt: number): Promise<void> => {
  await fenced(tx, held)
    .set((eb) => ({
      step: 'queued',
      lease: null,
      lease_boot: null,
      crashes: 0,
      due_at: dueAt,
      attempts: eb('attempts', '+', 1),
      ...failure(reason),
    }))
    .execute();
};

export const release = async (tx: Db, claims: readonly Claim[]): Promise<void> => {
  for (const held of claims)
    await fenced(tx, held)
      .set({ step: 'queued', lease: null, lease_boot: null, progress_done: null, progress_total: null })
      .execute();
};

/** Of these, the claims whose lease and revision still stand. */
export const standing = async (tx: Db, claims: readonly Claim[]): Promise<Set<Claim>> => {
  const { rows } = await tx.executeQuery<{ n: number; lease: string | null; revision: number }>(
    CompiledQuery.raw(
      'select n, lease, revision from documents where n in (select value from json_each(?)) and deleted = 0',
      [JSON.stringify(claims.map(({ n }) => n))],
    ),
  );
  const now = new Map(rows.map((row) => [row.n, row]));
  return new Set(
    claims.filter(
      ({ n, lease, revision }) => now.get(n)?.lease === lease && now.get(n)?.revision === revision,
    ),
  );
};
