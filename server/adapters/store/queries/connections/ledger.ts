// The ledger of a connection: an item for each thing that its source showed. A look notes what it sees; a take notes what
// became a document. Everything that a run has to do after a crash stands here.
import { type RawBuilder, sql } from 'kysely';
import { textList } from '../../engine/lists.ts';
import type { HeldRun, ItemFailure, SeenItem, WantedItem } from '../../ports/connections.ts';
import type { ConnectionItemsTable } from '../../tables/connection-tables.ts';
import type { Db } from '../../tables/tables.ts';
import { countInRun, holdsLease } from './runs.ts';

/** A whole listing without this many documents, and more than half of them, is more likely a fault than a wish. */
const UNSUSPICIOUS_REMOVALS = 20;

/** The state of an item that is seen again: a person's wish stays, and unchanged items cost nothing. */
const stateSeenAgain: RawBuilder<ConnectionItemsTable['state']> = sql`case
  when connection_items.state = 'excluded' then 'excluded'
  when excluded.state = 'skipped' then 'skipped'
  when connection_items.taken_mark = excluded.mark and connection_items.taken_face = excluded.face then 'taken'
  when connection_items.state = 'failed' and connection_items.mark = excluded.mark
    and connection_items.face = excluded.face then 'failed'
  else 'wanted' end`;

const isUnchanged = sql`connection_items.mark = excluded.mark and connection_items.face = excluded.face
  and excluded.state <> 'skipped'`;

const noteSeen = async (tx: Db, held: HeldRun, item: SeenItem, now: number): Promise<void> => {
  const { id, mark, skip } = item;
  await tx
    .insertInto('connection_items')
    .values({
      connection: held.connection,
      id,
      state: skip === undefined ? 'wanted' : 'skipped',
      mark,
      face: JSON.stringify(item.face),
      how: JSON.stringify(item.how ?? null),
      seen_in: held.look,
      taken_mark: null,
      taken_face: null,
      doc: null,
      due_at: now,
      error_code: skip?.code ?? null,
      error: skip?.message ?? null,
    })
    .onConflict((conflict) =>
      conflict.columns(['connection', 'id']).doUpdateSet((eb) => ({
        state: stateSeenAgain,
        mark: eb.ref('excluded.mark'),
        face: eb.ref('excluded.face'),
        how: eb.ref('excluded.how'),
        seen_in: eb.ref('excluded.seen_in'),
        attempts: sql`case when ${isUnchanged} then connection_items.attempts else 0 end`,
        due_at: sql`case when ${isUnchanged} then connection_items.due_at else excluded.due_at end`,
        error_code: sql`case when ${isUnchanged} then connection_items.error_code else excluded.error_code end`,
        error: sql`case when ${isUnchanged} then connection_items.error else excluded.error end`,
      })),
    )
    .execute();
};

/** The document is forgotten here after it was removed there. */
const noteGone = async (tx: Db, held: HeldRun, ids: readonly string[]): Promise<number> => {
  const { numUpdatedRows } = await tx
    .updateTable('connection_items')
    .set({ state: 'gone', taken_mark: null, taken_face: null })
    .where('connection', '=', held.connection)
    .where('id', 'in', textList(ids))
    .where('state', 'not in', ['gone', 'excluded'])
    .executeTakeFirst();
  // There is nothing to remove for those that never became a document.
  await tx
    .deleteFrom('connection_items')
    .where('connection', '=', held.connection)
    .where('state', '=', 'gone')
    .where('doc', 'is', null)
    .execute();
  return Number(numUpdatedRows);
};

/** Items that hold a place keep it; new ones get the places that are left. */
const withinLimit = async (
  tx: Db,
  held: HeldRun,
  items: readonly SeenItem[],
): Promise<{ kept: SeenItem[]; beyond: number }> => {
  const { document_limit: limit } = await tx
    .selectFrom('connections')
    .select('document_limit')
    .where('id', '=', held.connection)
    .executeTakeFirstOrThrow();
  const { places } = await tx
    .selectFrom('connection_items')
    .select(sql<number>`count(*)`.as('places'))
    .where('connection', '=', held.connection)
    .where('state', 'in', ['wanted', 'taken', 'failed'])
    .executeTakeFirstOrThrow();
  const ids = items.map(({ id }) => id);
  const rows = await tx
    .selectFrom('connection_items')
    .select('id')
    .where('connection', '=', held.connection)
    .where('id', 'in', textList(ids))
    .where('state', 'in', ['wanted', 'taken', 'failed', 'excluded'])
    .execute();
  const placed = new Set(rows.map(({ id }) => id));
  let left = limit - places;
  const kept: SeenItem[] = [];
  for (const item of items) {
    const takesPlace = !placed.has(item.id) && item.skip === undefined;
    if (takesPlace && left <= 0) continue;
    if (takesPlace) left -= 1;
    placed.add(item.id);
    kept.push(item);
  }
  return { kept, beyond: items.length - kept.length };
};

export const storePage = async (
  tx: Db,
  held: HeldRun,
  page: { items: readonly SeenItem[]; cursor: unknown; until: number },
  now: number,
): Promise<boolean> => {
  if (!(await holdsLease(tx, held, page.until))) return false;
  const gone = page.items.filter((item) => item.gone === true).map(({ id }) => id);
  await countInRun(tx, held, 'removed', await noteGone(tx, held, gone));
  const here = page.items.filter((item) => item.gone !== true);
  const { kept, beyond } = await withinLimit(tx, held, here);
  for (const item of kept) await noteSeen(tx, held, item, now);
  await countInRun(tx, held, 'beyond_limit', beyond);
  await tx
    .updateTable('connections')
    .set({ cursor: JSON.stringify(page.cursor ?? null) })
    .where('id', '=', held.connection)
    .execute();
  return true;
};

const missingFrom = async (tx: Db, held: HeldRun) =>
  tx
    .selectFrom('connection_items')
    .select(['id', 'doc'])
    .where('connection', '=', held.connection)
    .where('seen_in', '<', held.look)
    .where('state', 'not in', ['gone', 'excluded'])
    .execute();

export const endWholeLook = async (
  tx: Db,
  held: HeldRun,
): Promise<{ outcome: 'removed' | 'held'; items: number } | false> => {
  if (!(await holdsLease(tx, held))) return false;
  const missing = await missingFrom(tx, held);
  const documents = missing.filter(({ doc }) => doc !== null).length;
  const { all, accepted } = await tx
    .selectFrom('connections')
    .select((eb) => [
      eb.ref('removals_accepted').as('accepted'),
      sql<number>`(select count(*) from connection_items
        where connection = ${held.connection} and doc is not null and state <> 'excluded')`.as('all'),
    ])
    .where('id', '=', held.connection)
    .executeTakeFirstOrThrow();
  if (accepted === 0 && documents > UNSUSPICIOUS_REMOVALS && documents * 2 > all) {
    await tx
      .updateTable('connections')
      .set({ state: 'held', held: documents, cursor: null })
      .where('id', '=', held.connection)
      .execute();
    return { outcome: 'held', items: documents };
  }
  const ids = missing.map(({ id }) => id);
  const items = await noteGone(tx, held, ids);
  await countInRun(tx, held, 'removed', items);
  await tx
    .updateTable('connections')
    .set({ removals_accepted: 0, cursor: null })
    .where('id', '=', held.connection)
    .execute();
  return { outcome: 'removed', items };
};

export const wantedItems = async (
  db: Db,
  connection: string,
  limit: number,
  now: number,
): Promise<WantedItem[]> => {
  const rows = await db
    .selectFrom('connection_items')
    .selectAll()
    .where('connection', '=', connection)
    .where('state', '=', 'wanted')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id, mark, face, how, doc, taken_mark, attempts }) => ({
    id,
    mark,
    face: JSON.parse(face),
    how: JSON.parse(how),
    doc,
    sameContent: taken_mark === mark && doc !== null,
    attempts,
  }));
};

export const goneWithDocument = async (
  db: Db,
  connection: string,
  limit: number,
): Promise<{ id: string; doc: string }[]> => {
  const rows = await db
    .selectFrom('connection_items')
    .select(['id', 'doc'])
    .where('connection', '=', connection)
    .where('state', '=', 'gone')
    .where('doc', 'is not', null)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.flatMap(({ id, doc }) => (doc === null ? [] : [{ id, doc }]));
};

/** A later look may have seen a newer state of it meanwhile; then it stays wanted. */
export const noteTaken = async (
  tx: Db,
  held: HeldRun,
  item: Pick<WantedItem, 'id' | 'mark' | 'face'>,
  doc: string,
): Promise<boolean> => {
  if (!(await holdsLease(tx, held))) return false;
  const face = JSON.stringify(item.face);
  await tx
    .updateTable('connection_items')
    .set((eb) => ({
      state: sql<ConnectionItemsTable['state']>`case when state = 'wanted' and mark = ${item.mark}
        and face = ${face} then 'taken' else state end`,
      taken_mark: eb.val(item.mark),
      taken_face: eb.val(face),
      doc: eb.val(doc),
      attempts: eb.val(0),
      error_code: eb.val(null),
      error: eb.val(null),
    }))
    .where('connection', '=', held.connection)
    .where('id', '=', item.id)
    .execute();
  await countInRun(tx, held, 'processed', 1);
  return true;
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
  if (dueAt === null) await countInRun(tx, held, 'failed', 1);
  return true;
};

export const forgetItems = async (tx: Db, held: HeldRun, ids: readonly string[]): Promise<boolean> => {
  if (!(await holdsLease(tx, held))) return false;
  await tx
    .deleteFrom('connection_items')
    .where('connection', '=', held.connection)
    .where('id', 'in', textList(ids))
    .where('state', '=', 'gone')
    .execute();
  return true;
};
