// Stores content that a caller sends: a new document, or a further submission to the document with this customId.
import { sql, type Updateable } from '#kysely';
import type { Reach } from '../../../../core/scope.ts';
import { allAtOnce } from '../../engine/at-once.ts';
import { countInContainer } from '../../engine/counts.ts';
import { lockCustomIds, lockDocuments, needsLocks } from '../../engine/locks.ts';
import type { Submission, Submitted, SubmittedFact } from '../../ports/documents.ts';
import type { Metadata } from '../../ports/metadata.ts';
import {
  enterContainer,
  findContainer,
  findContainers,
  rememberEntityContext,
  tagSetKey,
} from '../../statements/containers.ts';
import type { ScopedWrite, WriteContext } from '../../statements/contexts.ts';
import { awaitsMemories } from '../../statements/documents/document-steps.ts';
import { FORMER_OUTLINE } from '../../statements/documents/outline-columns.ts';
import { storedFacts } from '../../statements/documents/submitted-facts.ts';
import { insertRows } from '../../statements/insert.ts';
import { insertMetadata, replaceMetadata } from '../../statements/metadata.ts';
import { holdsAllTags, visible } from '../../statements/scoped-views.ts';
import type { Db, DocumentsTable } from '../../tables/tables.ts';
import { findFactsRefused } from './check-facts.ts';
import { contentColumns, insertRow, insertSeveral, newRow } from './new-rows.ts';
import { attachFile, isAttached, releaseFile } from './originals.ts';
import { makeDue, requeued } from './retry.ts';
import { addToThread, moveInThread } from './threads.ts';

interface ExistingDocument {
  n: number;
  id: string;
  container: number;
  tags: string[];
  taskType: string;
  step: string;
  /** The code of the failure after which it waits, or for which it failed. */
  failure: string | null;
  chunks: number;
  metadata: Metadata | null;
  createdAt: number;
}

const withCustomId = async (tx: Db, reach: Reach, customId: string): Promise<ExistingDocument[]> => {
  const rows = await visible(tx, reach)
    .selectFrom('visible')
    .select(['n', 'id', 'container', 'tags', 'step', 'failure_code as failure', 'chunks', 'metadata'])
    .select(['task_type as taskType', 'created_at as createdAt'])
    .where('custom_id', '=', customId)
    .execute();
  return rows.map((row) => ({
    ...row,
    tags: JSON.parse(row.tags),
    metadata: row.metadata === null ? null : JSON.parse(row.metadata),
  }));
};

/** Named tags decide; without any, the only visible document with this customId, else the default tags. */
const existingDocument = async (tx: Db, reach: Reach, item: Submission): Promise<ExistingDocument | null> => {
  if (item.customId === null) return null;
  const candidates = await withCustomId(tx, reach, item.customId);
  const [only, ...others] = candidates;
  if (item.tags === null && only && others.length === 0) return only;
  const container = await findContainer(tx, item.tags ?? item.defaultTags);
  return candidates.find((candidate) => candidate.container === container) ?? null;
};

/** As sent, unless each of its tags limits memories to paths and none of them contains the document. A new tag limits nothing. */
const taskTypeFor = async (tx: Db, item: Submission, tags: readonly string[]): Promise<string> => {
  const { taskType, filepath } = item;
  if (taskType !== 'memory' || filepath === null) return taskType;
  const rows = await tx.selectFrom('tags').select('memory_paths').where('tag', 'in', tags).execute();
  const leads = (path: string) => (path.endsWith('/') ? filepath.startsWith(path) : filepath === path);
  const open =
    rows.length < tags.length ||
    rows.some(({ memory_paths: paths }) => paths === null || (JSON.parse(paths) as string[]).some(leads));
  return open ? taskType : 'superrag';
};

/** Inserts the rows that belong to a new document, beside its own. */
const insertDependentRows = async (
  { tx, now }: ScopedWrite,
  item: Submission,
  { n, container, tags }: { n: number; container: number; tags: readonly string[] },
): Promise<Submitted> => {
  if (item.file !== undefined) await attachFile(tx, n, item.file, now);
  if (item.customId !== null || item.facts !== undefined)
    await recordSubmission({ tx, now }, n, 1, { ...item, content: null });
  await insertMetadata(tx, { n, container }, item.metadata);
  const createdAt = item.createdAt ?? now;
  await addToThread(tx, { n, container, customId: item.customId, metadata: item.metadata, createdAt });
  await rememberEntityContext(tx, tags, item.entityContext, now);
  return { outcome: 'accepted', id: item.id, status: 'queued', stored: true };
};

const insertDocument = async (write: ScopedWrite, item: Submission): Promise<Submitted> => {
  const { tx, reach, now } = write;
  const tags = item.tags ?? item.defaultTags;
  if (tags.length === 0) return { outcome: 'untagged' };
  const taskType = await taskTypeFor(tx, item, tags);
  if (item.facts !== undefined) {
    const stated = { container: await findContainer(tx, tags), tags, taskType };
    const refused = await findFactsRefused({ db: tx, reach, now }, item.facts, stated);
    if (refused !== null) return refused;
  }
  const container = await enterContainer(tx, tags, now);
  const n = await insertRow(tx, newRow(item, { tags, container, taskType, now }));
  return insertDependentRows(write, item, { n, container, tags });
};

export const recordSubmission = async (
  { tx, now }: WriteContext,
  doc: number,
  revision: number,
  item: {
    replace: boolean;
    content: string | null;
    hash: string;
    facts?: readonly SubmittedFact[] | undefined;
  },
): Promise<void> => {
  await insertRows(tx, 'submissions', [
    {
      doc,
      revision,
      mode: item.replace ? 'replace' : 'merge',
      content: item.content,
      hash: item.hash,
      decision: item.content === null ? 'created' : null,
      facts: storedFacts(item.facts),
      created_at: now,
    },
  ]);
};

/** A repeated part is nothing new; a replacement is nothing new only if the whole text is equal. */
const isKnownContent = async (tx: Db, doc: number, item: Submission): Promise<boolean> => {
  const { content_hash: stored } = await tx
    .selectFrom('documents')
    .select('content_hash')
    .where('n', '=', doc)
    .executeTakeFirstOrThrow();
  const latest = await tx
    .selectFrom('submissions')
    .select(['hash', 'mode', 'decision'])
    .where('doc', '=', doc)
    .orderBy('n', 'desc')
    .limit(1)
    .executeTakeFirst();
  // A document that got its customId later has no record of its first submission.
  if (latest === undefined) return stored === item.hash;
  const whole = latest.mode === 'replace' || latest.decision === 'created' || stored === item.hash;
  // Unreadable content may have become readable.
  const refused = latest.decision === 'unreadable';
  return latest.hash === item.hash && !refused && (whole || !item.replace);
};

/** The columns that a re-send changes in addition to the content. */
const descriptionColumns = (existing: ExistingDocument, item: Submission): Updateable<DocumentsTable> => ({
  ...(item.metadata === null ? {} : { metadata: JSON.stringify({ ...existing.metadata, ...item.metadata }) }),
  ...(item.title === null ? {} : { title: item.title, title_given: 1 }),
  ...(item.filepath === null ? {} : { filepath: item.filepath }),
  ...(item.dreaming === null ? {} : { dreaming: item.dreaming }),
  ...(item.contextFilter === undefined ? {} : { context_filter: JSON.stringify(item.contextFilter) }),
});

const senderColumns = ({ sentBy }: Submission): Updateable<DocumentsTable> =>
  sentBy === undefined ? {} : { sent_by: sentBy };

const updateColumns = async (
  tx: Db,
  n: number,
  values: Updateable<DocumentsTable>,
  now: number,
): Promise<void> => {
  if (Object.keys(values).length === 0) return;
  await tx
    .updateTable('documents')
    .set({ ...values, updated_at: now })
    .where('n', '=', n)
    .execute();
};

/** A re-send of a text whose remembering failed starts it again. */
const readAgain = (tx: Db, n: number, item: Submission, now: number) =>
  tx
    .updateTable('documents')
    .set({ memory_state: 'waiting', memory_due_at: now, ...senderColumns(item) })
    .where('n', '=', n)
    .where('memory_state', '=', sql.lit('failed'))
    .execute();

/** Facts of content that could not be read are sent again with it. */
const isAlreadySent = async (tx: Db, existing: ExistingDocument, item: Submission): Promise<boolean> =>
  !(item.facts !== undefined && existing.step === 'failed') && (await isKnownContent(tx, existing.n, item));

type Accepted = Extract<Submitted, { outcome: 'accepted' }>;

/** The document was read, and has passages. */
const hasYielded = ({ step, chunks }: ExistingDocument): boolean => step === 'done' && chunks > 0;

/** The document failed for good, or waits for another attempt. */
const hasFailed = ({ step, failure }: ExistingDocument): boolean => step !== 'done' && failure !== null;

/** A re-send of content that is stored or in work already: what describes the document may still change. */
const keepContent = async (
  { tx, now }: ScopedWrite,
  existing: ExistingDocument,
  item: Submission,
): Promise<Accepted> => {
  const { n, id } = existing;
  await updateColumns(tx, n, descriptionColumns(existing, item), now);
  await readAgain(tx, n, item, now);
  if (hasFailed(existing)) await makeDue(tx, n, now);
  const isDone = hasYielded(existing) && !(await awaitsMemories(tx, n));
  const stored = await isAttached(tx, n, item.file);
  return { outcome: 'accepted', id, status: isDone ? 'done' : 'queued', stored };
};

/** The document runs again from the start; `isRecorded`: its submissions hold the content already. */
const takeContent = async (
  { tx, now }: ScopedWrite,
  existing: ExistingDocument,
  { item, isRecorded }: { item: Submission; isRecorded: boolean },
): Promise<Accepted> => {
  const { n, id } = existing;
  const { revision } = await tx
    .updateTable('documents')
    .set((eb) => ({
      ...requeued(now),
      ...descriptionColumns(existing, item),
      ...senderColumns(item),
      revision: eb('revision', '+', 1),
      // A replacement is readable at once; a merge is decided by the pipeline.
      ...(item.replace ? { ...contentColumns(item), ...FORMER_OUTLINE } : item.heavy ? { heavy: 1 } : {}),
    }))
    .where('n', '=', n)
    .returning('revision')
    .executeTakeFirstOrThrow();
  if (item.file !== undefined) await attachFile(tx, n, item.file, now);
  else if (item.replace) await releaseFile(tx, n);
  if (!isRecorded) await recordSubmission({ tx, now }, n, revision, item);
  return { outcome: 'accepted', id, status: 'queued', stored: true };
};

const resubmit = async (
  write: ScopedWrite,
  existing: ExistingDocument,
  item: Submission,
): Promise<Submitted> => {
  const { tx, reach, now } = write;
  const isRecorded = await isAlreadySent(tx, existing, item);
  const refused = isRecorded ? null : await findFactsRefused({ db: tx, reach, now }, item.facts, existing);
  if (refused !== null) return refused;
  if (item.metadata !== null) {
    const metadata = { ...existing.metadata, ...item.metadata };
    await replaceMetadata(tx, existing, metadata);
    await moveInThread(tx, { ...existing, customId: item.customId, metadata });
  }
  await rememberEntityContext(tx, existing.tags, item.entityContext, now);
  const isInWork = existing.step !== 'done' && existing.step !== 'failed';
  const answer =
    isRecorded && (isInWork || hasYielded(existing))
      ? await keepContent(write, existing, item)
      : await takeContent(write, existing, { item, isRecorded });
  return hasFailed(existing) ? { ...answer, retried: true } : answer;
};

const submitOne = async (write: ScopedWrite, item: Submission): Promise<Submitted> => {
  const existing = await existingDocument(write.tx, write.reach, item);
  if (existing === null) return insertDocument(write, item);
  if (!holdsAllTags(write.reach, existing.tags)) return { outcome: 'forbidden', id: existing.id };
  return resubmit(write, existing, item);
};

/** The submissions of one call. */
export interface SentTogether {
  readonly reach: Reach;
  readonly items: readonly Submission[];
}

/** The documents that these items continue or replace, before any of them is decided. */
const lockExisting = async (tx: Db, sent: readonly SentTogether[]): Promise<void> => {
  const named = sent.flatMap(({ reach, items }) =>
    items.flatMap((item) => (item.customId === null ? [] : [{ reach, item, customId: item.customId }])),
  );
  if (named.length === 0) return;
  await lockCustomIds(
    tx,
    named.map(({ item, customId }) => ({ customId, tagSet: tagSetKey(item.tags ?? item.defaultTags) })),
  );
  const existing: number[] = [];
  for (const { reach, item } of named) {
    const document = await existingDocument(tx, reach, item);
    if (document !== null) existing.push(document.n);
  }
  await lockDocuments(tx, existing);
};

interface OneOfSent {
  readonly write: ScopedWrite;
  readonly item: Submission;
}

/** The documents of a call up to the first that may already be stored: they are numbered in the order in which they were sent. */
const newFirst = (call: readonly OneOfSent[]): readonly OneOfSent[] => {
  const other = call.findIndex(({ item }) => item.customId !== null || item.facts !== undefined);
  return other === -1 ? call : call.slice(0, other);
};

/** Nothing that is stored decides on a new document without a customId: they are stored in few statements. */
const submitNewTogether = async (
  tx: Db,
  calls: readonly (readonly OneOfSent[])[],
  now: number,
): Promise<ReadonlyMap<Submission, Submitted>> => {
  const tagsOf = ({ item }: OneOfSent): readonly string[] => item.tags ?? item.defaultTags;
  const plain = calls.flatMap(newFirst);
  const containers = await findContainers(tx, plain.map(tagsOf));
  const placed = plain.flatMap((each) => {
    const tags = tagsOf(each);
    const container = containers.get(tagSetKey(tags));
    return container === undefined ? [] : [{ ...each, tags, container }];
  });
  const rows: ReturnType<typeof newRow>[] = [];
  for (const { item, tags, container } of placed) {
    const taskType = await taskTypeFor(tx, item, tags);
    rows.push(newRow(item, { tags, container, taskType, now }));
    await countInContainer(tx, container, { documents: 1 });
  }
  const numbers = new Map((await insertSeveral(tx, rows)).map(({ n, id }) => [id, n]));
  const answers = new Map<Submission, Submitted>();
  await allAtOnce(placed, async ({ write, item, tags, container }) => {
    const n = numbers.get(item.id);
    if (n === undefined) throw new Error('A new document got no number.');
    answers.set(item, await insertDependentRows(write, item, { n, container, tags }));
  });
  return answers;
};

/** The answers to several callers, in one transaction. */
export const submitAll = async (
  tx: Db,
  sent: readonly SentTogether[],
  now: number,
): Promise<Submitted[][]> => {
  const all = sent.map(({ reach, items }) => items.map((item) => ({ write: { tx, reach, now }, item })));
  const hasOthers = all.flat().length > 1;
  if (needsLocks(tx)) await lockExisting(tx, sent);
  const known =
    needsLocks(tx) && hasOthers ? await submitNewTogether(tx, all, now) : new Map<Submission, Submitted>();
  const answers: Submitted[][] = [];
  for (const each of all) {
    const own: Submitted[] = [];
    for (const { write, item } of each) own.push(known.get(item) ?? (await submitOne(write, item)));
    answers.push(own);
  }
  return answers;
};

/** A document as a source that is kept in sync finds it. */
export interface SubmittedDocument {
  n: number;
  id: string;
  container: number;
  /** JSON. */
  tags: string;
  step: string;
  failure: string | null;
  chunks: number;
  createdAt: number;
  connection: string | null;
  source: string | null;
}

/** The content of a connection: it is not looked for by its customId, and its metadata take the place of the former ones. */
export const submitFromSource = (
  write: ScopedWrite,
  document: SubmittedDocument | null,
  item: Submission,
): Promise<Submitted> => {
  if (document === null) return insertDocument(write, item);
  const { tags, ...known } = document;
  const existing = { ...known, tags: JSON.parse(tags), taskType: item.taskType, metadata: null };
  return resubmit(write, existing, item);
};
