// The rows of a take: the document of an item and the mark of what was read, in one transaction.
import { WHOLE_REACH } from '../../../../core/scope.ts';
import { run } from '../../engine/run.ts';
import type {
  HeldRun,
  ItemDescription,
  ItemFailure,
  LedgerRules,
  SkippedItem,
  TakenItem,
  TakeOutcome,
  WantedItem,
} from '../../ports/connections/connections.ts';
import type { Submission } from '../../ports/documents.ts';
import { findContainer } from '../../statements/containers.ts';
import type { WriteContext } from '../../statements/contexts.ts';
import { replaceMetadata } from '../../statements/metadata.ts';
import { LIVING_TEXT } from '../../statements/scoped-views.ts';
import type { Db } from '../../tables/tables.ts';
import { type SubmittedDocument, submitFromSource } from '../documents/submit.ts';
import { countInRun, holdsLease } from './runs.ts';
import { storeSeen } from './seen.ts';

interface ItemRow {
  id: string;
  parent: string | null;
  mark: string;
  face: string;
  how: string;
  tags: string | null;
  doc: string | null;
  taken_mark: string | null;
  content_mark: string | null;
  attempts: number;
}

const ITEM_COLUMNS = 'id, parent, mark, face, how, tags, doc, taken_mark, content_mark, attempts';

const wantedItem = (row: ItemRow): WantedItem => ({
  ...{ id: row.id, parent: row.parent, mark: row.mark, doc: row.doc, attempts: row.attempts },
  face: JSON.parse(row.face),
  how: JSON.parse(row.how),
  tags: row.tags === null ? null : JSON.parse(row.tags),
  takenMark: row.content_mark ?? row.taken_mark,
  sameContent: row.taken_mark === row.mark && row.doc !== null,
});

export const wantedItems = async (
  db: Db,
  connection: string,
  limit: number,
  now: number,
): Promise<WantedItem[]> => {
  const { rows } = await run<ItemRow>(
    db,
    `select ${ITEM_COLUMNS} from connection_items
       where connection = $1 and state = 'wanted' and due_at <= $2 order by due_at, id limit 0 + $3`,
    [connection, now, limit],
  );
  return rows.map(wantedItem);
};

export const nextWantedAt = async (db: Db, connection: string): Promise<number | null> => {
  const { rows } = await run<{ due: number | null }>(
    db,
    `select min(due_at) as due from connection_items where connection = $1 and state = 'wanted'`,
    [connection],
  );
  return rows[0]?.due ?? null;
};

/** `before`: the number of the newest look that does not count. */
export const unseenItems = async (
  db: Db,
  connection: string,
  before: number,
  limit: number,
): Promise<WantedItem[]> => {
  const { rows } = await run<ItemRow>(
    db,
    `select ${ITEM_COLUMNS} from connection_items
       where connection = $1 and state = 'taken' and seen_in <= $2 order by seen_in, id limit 0 + $3`,
    [connection, before, limit],
  );
  return rows.map(wantedItem);
};

export const waitingDocuments = async (db: Db, connection: string): Promise<number> => {
  const { rows } = await run<{ documents: number }>(
    db,
    `select count(*) as documents from documents
       where connection = $1 and ${LIVING_TEXT} and step not in ('done', 'failed')`,
    [connection],
  );
  return Number(rows[0]?.documents ?? 0);
};

/** The document that this item should have: its own, one that another connection brought, or one that was kept. */
const findTarget = async (
  tx: Db,
  { id, doc, tags }: { id: string; doc: string | null; tags: readonly string[] },
  provider: string,
): Promise<{ document: SubmittedDocument | null; occupied: boolean }> => {
  const columns =
    'n, id, container, tags, step, failure_code as failure, chunks, metadata, created_at as "createdAt", connection, source';
  if (doc !== null) {
    const { rows } = await run<SubmittedDocument>(
      tx,
      `select ${columns} from documents where id = $1 and ${LIVING_TEXT}`,
      [doc],
    );
    if (rows[0] !== undefined) return { document: rows[0], occupied: false };
  }
  const container = await findContainer(tx, tags);
  if (container === null) return { document: null, occupied: false };
  const { rows } = await run<SubmittedDocument>(
    tx,
    `select ${columns} from documents where custom_id = $1 and container = $2 and ${LIVING_TEXT}`,
    [id, container],
  );
  const [found] = rows;
  if (found === undefined) return { document: null, occupied: false };
  // A document of no connection, with the source of this provider, was kept when its connection was removed.
  const ours = found.connection !== null || found.source === provider;
  return { document: ours ? found : null, occupied: !ours };
};

const describeDocument = async (
  tx: Db,
  document: SubmittedDocument,
  { id, description }: { id: string; description: ItemDescription },
  now: number,
): Promise<void> => {
  const { title, url, filepath, metadata } = description;
  await replaceMetadata(tx, document, metadata);
  await run(
    tx,
    `update documents set metadata = $2, title = coalesce($3, title),
       title_given = case when $3 is null then title_given else 1 end,
       url = $4, filepath = $5, custom_id = $6, updated_at = $7 where n = $1`,
    [document.n, JSON.stringify(metadata), title, url, filepath, id, now],
  );
};

const noteTaken = async (
  tx: Db,
  held: HeldRun,
  { item, contentMark }: TakenItem,
  doc: string,
): Promise<void> => {
  const face = JSON.stringify(item.face);
  // A later look may have seen a newer state of it meanwhile; then it stays wanted.
  await run(
    tx,
    `update connection_items set state = case when state = 'wanted' and mark = $3 and face = $4 then 'taken' else state end,
       taken_mark = $3, taken_face = $4, doc = $5, content_mark = coalesce($6, content_mark), attempts = 0,
       error_code = null, error = null where connection = $1 and id = $2`,
    [held.connection, item.id, item.mark, face, doc, contentMark],
  );
};

const countTaken = (tx: Db, held: HeldRun, outcome: 'added' | 'updated' | 'unchanged') =>
  countInRun(tx, held, { processed: 1, [outcome]: 1 });

const store = async (
  tx: Db,
  held: HeldRun,
  taken: TakenItem & { submission: Submission },
  now: number,
): Promise<{ outcome: 'added' | 'updated' | 'unchanged'; stored: boolean; id: string } | 'occupied'> => {
  const { submission, item, description } = taken;
  const { rows } = await run<{ doc: string | null }>(
    tx,
    'select doc from connection_items where connection = $1 and id = $2',
    [held.connection, item.id],
  );
  const tags = submission.tags ?? [];
  const wish = { id: item.id, doc: rows[0]?.doc ?? null, tags };
  const { document, occupied } = await findTarget(tx, wish, description.provider);
  if (occupied) return 'occupied';
  const answer = await submitFromSource({ tx, now, reach: WHOLE_REACH }, document, submission);
  if (answer.outcome !== 'accepted')
    throw new Error(`A document of a connection was not stored: ${answer.outcome}.`);
  await run(
    tx,
    `update documents set connection = $2, source = $3, note = coalesce($4, note) where id = $1
       and (connection is null or connection = $2)`,
    [answer.id, held.connection, description.provider, taken.note],
  );
  if (document !== null) await describeDocument(tx, document, { id: item.id, description }, now);
  const outcome = document === null ? 'added' : answer.stored ? 'updated' : 'unchanged';
  return { outcome, stored: answer.stored, id: answer.id };
};

/** Only what is known besides the content changed. */
const describe = async (tx: Db, held: HeldRun, taken: TakenItem, now: number): Promise<string | null> => {
  const { rows } = await run<SubmittedDocument>(
    tx,
    `select documents.n, documents.id, documents.container from connection_items
       inner join documents on documents.id = connection_items.doc
       where connection_items.connection = $1 and connection_items.id = $2 and ${LIVING_TEXT}`,
    [held.connection, taken.item.id],
  );
  const [document] = rows;
  if (document === undefined) return null;
  await describeDocument(tx, document, { id: taken.item.id, description: taken.description }, now);
  return document.id;
};

export const takeItem = async (
  tx: Db,
  held: HeldRun,
  { taken, rules }: { taken: TakenItem; rules: LedgerRules },
  now: number,
): Promise<TakeOutcome | false> => {
  if (!(await holdsLease(tx, held))) return false;
  await storeSeen(tx, held, { items: taken.found, rules }, now);
  const { submission } = taken;
  if (submission === null) {
    const id = await describe(tx, held, taken, now);
    if (id !== null) await noteTaken(tx, held, taken, id);
    await countTaken(tx, held, 'unchanged');
    return { outcome: 'unchanged', stored: false };
  }
  const stored = await store(tx, held, { ...taken, submission }, now);
  if (stored === 'occupied') return { outcome: 'occupied' };
  await noteTaken(tx, held, taken, stored.id);
  await countTaken(tx, held, stored.outcome);
  return { outcome: stored.outcome, stored: stored.stored };
};

export const failItem = async (tx: Db, held: HeldRun, id: string, failure: ItemFailure): Promise<boolean> => {
  if (!(await holdsLease(tx, held))) return false;
  const { code, message, dueAt } = failure;
  await tx
    .updateTable('connection_items')
    .set((eb) => ({
      attempts: eb('attempts', '+', 1),
      error_code: code,
      error: message,
      ...(dueAt === null ? { state: 'failed' as const } : { due_at: dueAt }),
    }))
    .where('connection', '=', held.connection)
    .where('id', '=', id)
    .execute();
  if (dueAt === null) await countInRun(tx, held, { failed: 1 });
  return true;
};

/** Its document, if it has one, is removed with those that are gone. */
export const skipItem = async (
  { tx, now }: WriteContext,
  held: HeldRun,
  { id, skip, found }: SkippedItem,
  rules: LedgerRules,
): Promise<boolean> => {
  if (!(await holdsLease(tx, held))) return false;
  await storeSeen(tx, held, { items: found, rules }, now);
  await tx
    .updateTable('connection_items')
    .set({ state: 'skipped', error_code: skip.code, error: skip.message })
    .where('connection', '=', held.connection)
    .where('id', '=', id)
    .where('state', '=', 'wanted')
    .execute();
  await countInRun(tx, held, { skipped: 1 });
  return true;
};

export const noteHere = async (tx: Db, held: HeldRun, ids: readonly string[]): Promise<boolean> => {
  if (!(await holdsLease(tx, held))) return false;
  await run(
    tx,
    `update connection_items set seen_in = $3 where connection = $1 and id in (select value from text_list($2))`,
    [held.connection, JSON.stringify(ids), held.look],
  );
  return true;
};
