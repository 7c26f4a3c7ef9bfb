// Items that went away upstream: told by the source, or missing in a whole listing. Its documents are removed afterwards, in slices.
import { sql } from '#kysely';
import { textList } from '../../engine/lists.ts';
import { run } from '../../engine/run.ts';
import type { HeldRun, LedgerRules } from '../../ports/connections/connections.ts';
import { LIVING_TEXT } from '../../statements/scoped-views.ts';
import type { Db } from '../../tables/tables.ts';
import { markDeleted } from '../documents/delete.ts';
import { countInRun, holdsLease } from './runs.ts';

/** A whole listing without this many documents, and more than half of them, is more likely a fault than a wish. */
const UNSUSPICIOUS_REMOVALS = 20;

/** Without what became a document there is nothing left to do. */
const forgetWithoutDocument = (tx: Db, connection: string) =>
  run(tx, `delete from connection_items where connection = $1 and state = 'gone' and doc is null`, [
    connection,
  ]);

/** A folder takes everything below along. */
const withContent = async (tx: Db, connection: string, ids: readonly string[]): Promise<string[]> => {
  const { rows } = await run<{ id: string }>(
    tx,
    `with recursive below (id) as (
       select id from connection_items where connection = $1 and id in (select value from text_list($2))
       union
       select connection_items.id from below inner join connection_items
         on connection_items.connection = $1 and connection_items.parent = below.id
     ) select id from below`,
    [connection, JSON.stringify(ids)],
  );
  return rows.map(({ id }) => id);
};

/** The document stays with an item that appeared with the same mark in this look. */
const moveDocuments = async (tx: Db, held: HeldRun, ids: readonly string[]): Promise<void> => {
  const { rows } = await run<{
    id: string;
    doc: string;
    mark: string;
    taken: string;
    content: string | null;
  }>(
    tx,
    `select id, doc, mark, taken_mark as taken, content_mark as content from connection_items
       where connection = $1 and id in (select value from text_list($2)) and doc is not null
         and taken_mark is not null`,
    [held.connection, JSON.stringify(ids)],
  );
  for (const { id, doc, taken, content } of rows) {
    const { rows: places } = await run<{ id: string }>(
      tx,
      `select id from connection_items where connection = $1 and mark = $2 and state = 'wanted' and doc is null
         and seen_in = $3 and id <> $4 order by id limit 1`,
      [held.connection, taken, held.look, id],
    );
    const [place] = places;
    if (place === undefined) continue;
    await run(
      tx,
      `update connection_items set doc = $3, taken_mark = $4, content_mark = $5 where connection = $1 and id = $2`,
      [held.connection, place.id, doc, taken, content],
    );
    await run(tx, `update connection_items set doc = null where connection = $1 and id = $2`, [
      held.connection,
      id,
    ]);
  }
};

const markGone = async (
  tx: Db,
  held: HeldRun,
  ids: readonly string[],
  rules: LedgerRules,
): Promise<number> => {
  if (ids.length === 0) return 0;
  if (rules.moves) await moveDocuments(tx, held, ids);
  const { numUpdatedRows } = await tx
    .updateTable('connection_items')
    .set({ state: 'gone', taken_mark: null, taken_face: null, content_mark: null })
    .where('connection', '=', held.connection)
    .where('id', 'in', textList(ids))
    .where('state', 'not in', ['gone', 'excluded'])
    .executeTakeFirst();
  await run(
    tx,
    `delete from connection_items where connection = $1 and state = 'excluded' and id in (select value from text_list($2))`,
    [held.connection, JSON.stringify(ids)],
  );
  await forgetWithoutDocument(tx, held.connection);
  return Number(numUpdatedRows);
};

export const noteGone = async (
  tx: Db,
  held: HeldRun,
  { ids, rules }: { ids: readonly string[]; rules: LedgerRules },
): Promise<void> => {
  if (ids.length === 0) return;
  await markGone(tx, held, rules.folders ? await withContent(tx, held.connection, ids) : ids, rules);
};

interface MissingItem {
  id: string;
  doc: string | null;
}

/** In code-point order no text that begins with the prefix lies beyond this one. */
const behindPrefix = (prefix: string): string => `${prefix}\u{10FFFF}`;

const missingFrom = async (tx: Db, held: HeldRun, prefix: string): Promise<MissingItem[]> => {
  const { rows } = await run<MissingItem>(
    tx,
    `select id, doc from connection_items where connection = $1 and seen_in < $2 and state not in ('gone', 'excluded')
       ${prefix === '' ? '' : 'and id >= $3 and id <= $4'}`,
    prefix === '' ? [held.connection, held.look] : [held.connection, held.look, prefix, behindPrefix(prefix)],
  );
  return rows;
};

/** Notes as missing the items of a part that a look covered and did not show. */
export const noteMissing = async (
  tx: Db,
  held: HeldRun,
  { prefix, rules }: { prefix: string; rules: LedgerRules },
): Promise<void> => {
  const missing = await missingFrom(tx, held, prefix);
  await markGone(
    tx,
    held,
    missing.map(({ id }) => id),
    rules,
  );
};

export const endWholeLook = async (
  tx: Db,
  held: HeldRun,
  rules: LedgerRules,
): Promise<{ outcome: 'removed' | 'held'; items: number } | false> => {
  if (!(await holdsLease(tx, held))) return false;
  const missing = await missingFrom(tx, held, '');
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
    const problem = `The source showed ${documents} of ${all} documents no more. Nothing was removed: accept the removals, or check the source first.`;
    await tx
      .updateTable('connections')
      .set({ state: 'held', held: documents, cursor: null, problem })
      .where('id', '=', held.connection)
      .execute();
    return { outcome: 'held', items: documents };
  }
  const items = await markGone(
    tx,
    held,
    missing.map(({ id }) => id),
    rules,
  );
  await tx
    .updateTable('connections')
    .set({ removals_accepted: 0 })
    .where('id', '=', held.connection)
    .execute();
  return { outcome: 'removed', items };
};

/** Documents that another item holds belong to its connection from now on; the others are returned. */
const releaseDocuments = async (tx: Db, connection: string, docs: readonly string[]): Promise<string[]> => {
  const { rows } = await run<{ doc: string; connection: string }>(
    tx,
    `select doc, min(connection) as connection from connection_items where doc in (select value from text_list($1))
       and state not in ('gone', 'outside') group by doc`,
    [JSON.stringify(docs)],
  );
  for (const row of rows)
    await run(tx, 'update documents set connection = $1 where id = $2 and connection = $3', [
      row.connection,
      row.doc,
      connection,
    ]);
  const held = new Set(rows.map(({ doc }) => doc));
  return [...new Set(docs)].filter((doc) => !held.has(doc));
};

/** Hidden at once; the purger erases them. */
const deleteDocuments = async (tx: Db, ids: readonly string[], now: number): Promise<number> => {
  const { rows } = await run<{ n: number; container: number }>(
    tx,
    `select n, container from documents where id in (select value from text_list($1)) and ${LIVING_TEXT}`,
    [JSON.stringify(ids)],
  );
  if (rows.length > 0) await markDeleted(tx, rows, now);
  return rows.length;
};

/** False: no document of a gone item is left. */
export const removeGone = async (tx: Db, held: HeldRun, limit: number, now: number): Promise<boolean> => {
  if (!(await holdsLease(tx, held))) return false;
  const { rows } = await run<{ id: string; doc: string; state: string }>(
    tx,
    `select id, doc, state from connection_items where connection = $1 and doc is not null
       and state in ('gone', 'outside', 'skipped') limit 0 + $2`,
    [held.connection, limit],
  );
  if (rows.length === 0) return false;
  await run(
    tx,
    `update connection_items set doc = null, taken_mark = null, taken_face = null, content_mark = null
       where connection = $1 and id in (select value from text_list($2))`,
    [held.connection, JSON.stringify(rows.map(({ id }) => id))],
  );
  await forgetWithoutDocument(tx, held.connection);
  const alone = await releaseDocuments(
    tx,
    held.connection,
    rows.map(({ doc }) => doc),
  );
  await countInRun(tx, held, { removed: await deleteDocuments(tx, alone, now) });
  return true;
};
