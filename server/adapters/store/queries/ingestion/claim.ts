// The document row is the job: claims it, reports its progress, releases it.
import { type Selectable, sql } from '#kysely';
import { numberList } from '../../engine/lists.ts';
import { lockDocuments, lockFreeDocuments } from '../../engine/locks.ts';
import { run } from '../../engine/run.ts';
import type { StoredFailure } from '../../ports/documents.ts';
import type { Claim, ClaimedFile, HeldClaim, StepNews, StoredChunk } from '../../ports/ingestion/claims.ts';
import type { Db, SubmissionsTable } from '../../tables/tables.ts';
import type { FreshLease } from '../memories/remembering/memory-lease.ts';
import { type ClaimedShare, claimedShare, type WaitingSubmission } from './claimed-share.ts';
import { WAITS } from './turns.ts';

type SubmissionRow = Pick<
  Selectable<SubmissionsTable>,
  'n' | 'doc' | 'mode' | 'content' | 'decision' | 'facts'
>;

const waitingSubmission = ({
  doc: _doc,
  decision,
  facts,
  content,
  ...row
}: SubmissionRow): WaitingSubmission => ({
  ...row,
  content: content ?? '',
  created: decision !== null,
  facts: facts !== null,
});

/** In two queries: with "or", SQLite would not use the index of the facts. */
const waitingSubmissions = async (
  db: Db,
  rows: readonly { n: number; revision: number }[],
): Promise<Map<number, WaitingSubmission[]>> => {
  const among = (documents: typeof rows) =>
    db
      .selectFrom('submissions')
      .select(['n', 'doc', 'mode', 'content', 'decision', 'facts'])
      .where('doc', 'in', numberList(documents.map(({ n }) => n)));
  const created = among(rows)
    .where('facts', 'is not', null)
    .where('decision', '=', 'created')
    .where('placed', '=', sql.lit(0));
  const further = rows.filter(({ revision }) => revision > 1);
  const pending = among(further).where('decision', 'is', null).orderBy('n');
  const waiting = [...(await created.execute()), ...(further.length === 0 ? [] : await pending.execute())];
  return new Map(
    [...Map.groupBy(waiting, ({ doc }) => doc)].map(([doc, its]) => [doc, its.map(waitingSubmission)]),
  );
};

const storedChunks = async (db: Db, ns: readonly number[]): Promise<Map<number, StoredChunk[]>> => {
  const byDocument = new Map<number, StoredChunk[]>();
  if (ns.length === 0) return byDocument;
  const rows = await db
    .selectFrom('chunks')
    .select([
      'n',
      'id',
      'doc',
      'position',
      'part',
      'flags',
      'input_hash',
      'body_tokens',
      'message_tokens',
      'metadata',
    ])
    .where('doc', 'in', numberList(ns))
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
      place: row.metadata,
    });
    byDocument.set(row.doc, list);
  }
  return byDocument;
};

const claimedFiles = async (db: Db, ns: readonly number[]): Promise<Map<number, ClaimedFile>> => {
  const rows = await db
    .selectFrom('files')
    .select(['doc', 'key', 'name', 'mime_type', 'file_type'])
    .where('doc', 'in', numberList(ns))
    .execute();
  return new Map(
    rows.map(({ doc, key, name, mime_type: mimeType, file_type: fileType }) => [
      doc ?? 0,
      { key, name, mimeType, fileType },
    ]),
  );
};

const tagNumbers = async (db: Db, containers: readonly number[]): Promise<Map<number, number[]>> => {
  const rows = await db
    .selectFrom('container_tags')
    .select(['container', 'tag'])
    .where('container', 'in', numberList([...new Set(containers)]))
    .execute();
  const byContainer = new Map<number, number[]>();
  for (const { container, tag } of rows)
    byContainer.set(container, [...(byContainer.get(container) ?? []), tag]);
  return byContainer;
};

const CLAIMED = [
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
  'facts',
  'revision',
  'attempts',
  'chunks',
  'indexed_revision',
  'chunk_size',
  'created_at',
  'sent_by',
] as const;

/** Takes the chosen documents that still wait. Without `is true` PostgreSQL compares each of them with all that wait. */
export const leaseDocuments = async (
  tx: Db,
  { boot, lease }: FreshLease,
  ns: readonly number[],
): Promise<void> => {
  await run(
    tx,
    `update documents set lease = $1, lease_boot = $2, step = 'extracting'
     where n in (select value from number_list($3)) and (${WAITS}) is true`,
    [lease, boot, JSON.stringify(await lockFreeDocuments(tx, ns))],
  );
};

/**
 * The documents under this lease. The reads share no transaction: what changes between them voids the
 * lease, and the commit is refused.
 */
export const readClaims = async (db: Db, lease: string, ns: readonly number[]): Promise<Claim[]> => {
  const rows = await db
    .selectFrom('documents')
    .select(CLAIMED)
    .where('n', 'in', numberList(ns))
    .where('lease', '=', lease)
    .execute();
  rows.sort((a, b) => ns.indexOf(a.n) - ns.indexOf(b.n));
  const waiting = await waitingSubmissions(db, rows);
  const shareOf = (row: { n: number; chunks: number; indexed_revision: number }): ClaimedShare =>
    claimedShare(waiting.get(row.n) ?? [], { indexed: row.indexed_revision > 0, passages: row.chunks > 0 });
  const chunks = await storedChunks(
    db,
    rows.filter((row) => row.chunks > 0).map((row) => row.n),
  );
  const tags = await tagNumbers(
    db,
    rows.map((row) => row.container),
  );
  const files = await claimedFiles(
    db,
    rows.map((row) => row.n),
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
    notedMetadata: row.facts === null ? {} : JSON.parse(row.facts),
    revision: row.revision,
    lease,
    attempts: row.attempts,
    chunkSize: row.chunk_size,
    createdAt: row.created_at,
    sentBy: row.sent_by,
    ...shareOf(row),
    chunks: chunks.get(row.n) ?? [],
    file: files.get(row.n) ?? null,
  }));
};

/**
 * Only while the lease is valid. New content, a move, a deletion and the next boot take it away, so a claim of another
 * revision or of a deleted document has none.
 */
export const updateStanding = (tx: Db, held: HeldClaim) =>
  tx.updateTable('documents').where('n', '=', held.n).where('lease', '=', held.lease);

export type HeldNews = Omit<StepNews, 'claim'> & { claim: HeldClaim };

/** One statement for all documents that were claimed together and go on in step. */
export const reportProgress = async (tx: Db, news: readonly HeldNews[]): Promise<void> => {
  await lockDocuments(
    tx,
    news.map(({ claim }) => claim.n),
  );
  const said = ({ claim: { lease }, step, progress }: HeldNews): string =>
    JSON.stringify([lease, step, progress?.done ?? null, progress?.total ?? null, progress?.unit ?? null]);
  for (const [values, all] of Map.groupBy(news, said))
    await run(
      tx,
      `update documents set step = $2, progress_done = $3, progress_total = $4, progress_unit = $5
         where lease = $1 and n in (select value from number_list($6))`,
      [...(JSON.parse(values) as unknown[]), JSON.stringify(all.map(({ claim }) => claim.n))],
    );
};

export const failureColumns = (reason: StoredFailure) => ({
  failure_code: reason.code,
  failure_message: reason.message,
  failure_retryable: reason.retryable ? 1 : 0,
  progress_done: null,
  progress_total: null,
  progress_unit: null,
});

export const failDocument = async (
  tx: Db,
  held: HeldClaim,
  reason: StoredFailure,
  now: number,
): Promise<void> => {
  await updateStanding(tx, held)
    .set({
      step: 'failed',
      lease: null,
      lease_boot: null,
      crashes: 0,
      updated_at: now,
      ...failureColumns(reason),
    })
    .execute();
};

export const retryDocumentLater = async (
  tx: Db,
  held: HeldClaim,
  reason: StoredFailure,
  dueAt: number,
): Promise<void> => {
  await updateStanding(tx, held)
    .set((eb) => ({
      step: 'queued',
      lease: null,
      lease_boot: null,
      crashes: 0,
      due_at: dueAt,
      attempts: eb('attempts', '+', 1),
      ...failureColumns(reason),
    }))
    .execute();
};

/** In one order in every write, so that two of them never wait for each other. */
export const inOrder = <Held extends HeldClaim>(claims: readonly Held[]): readonly Held[] =>
  claims.toSorted((a, b) => a.n - b.n);

export const releaseClaims = async (tx: Db, claims: readonly HeldClaim[]): Promise<void> => {
  // The write of a lost lease may still be ending.
  await lockDocuments(
    tx,
    claims.map(({ n }) => n),
  );
  for (const held of inOrder(claims))
    await updateStanding(tx, held)
      .set({ step: 'queued', lease: null, lease_boot: null, progress_done: null, progress_total: null })
      .execute();
};

/** The claims among these whose lease is still valid, and stays so until the write ends. */
export const standingClaims = async <Held extends HeldClaim>(
  tx: Db,
  claims: readonly Held[],
): Promise<Set<Held>> => {
  await lockDocuments(
    tx,
    claims.map(({ n }) => n),
  );
  const { rows } = await run<{ n: number; lease: string | null }>(
    tx,
    'select n, lease from documents where n in (select value from number_list($1))',
    [JSON.stringify(claims.map(({ n }) => n))],
  );
  const leases = new Map(rows.map(({ n, lease }) => [n, lease]));
  return new Set(claims.filter(({ n, lease }) => leases.get(n) === lease));
};
