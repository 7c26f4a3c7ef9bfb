// The items that a look shows enter the ledger in one transaction with the cursor that follows them.
import { run } from '../../engine/run.ts';
import type { HeldRun, LedgerRules, SeenItem, SeenPage } from '../../ports/connections/connections.ts';
import type { WriteContext } from '../../statements/contexts.ts';
import type { Db } from '../../tables/tables.ts';
import { noteGone, noteMissing } from './gone.ts';
import { countInRun, holdsLease } from './runs.ts';

/**
 * A person's wish stays, a folder decides for its content, and unchanged items cost nothing. What was not there to be
 * read is read again once it is shown again, as after an access that was missing for a while.
 */
const STATE_SEEN_AGAIN = `case
  when connection_items.state in ('excluded', 'outside') or excluded.state = 'folder' then
    case when excluded.state = 'folder' then 'folder' else connection_items.state end
  when excluded.state = 'skipped' then 'skipped'
  when connection_items.state = 'skipped' and connection_items.error_code = 'left_out' then 'skipped'
  when connection_items.taken_mark = excluded.mark and connection_items.taken_face = excluded.face then 'taken'
  when connection_items.state in ('failed', 'skipped') and connection_items.mark = excluded.mark
    and connection_items.face = excluded.face and connection_items.seen_in > 0
    and not (connection_items.state = 'failed' and connection_items.error_code = 'not_found')
    then connection_items.state
  else excluded.state end`;

const UNCHANGED = `connection_items.mark = excluded.mark and connection_items.face = excluded.face
  and excluded.state <> 'skipped'`;

const COLUMNS = [
  ...['connection', 'id', 'state', 'mark', 'face', 'how', 'seen_in', 'due_at', 'error_code', 'error'],
  ...['kind', 'parent', 'tags', 'bytes'],
];

const KEPT_IF_UNCHANGED = ['attempts', 'due_at', 'error_code', 'error']
  .map((column) => {
    const fresh = column === 'attempts' ? '0' : `excluded.${column}`;
    return `${column} = case when ${UNCHANGED} then connection_items.${column} else ${fresh} end`;
  })
  .join(', ');

const NOTE_SEEN = `insert into connection_items (${COLUMNS.join(', ')})
  values (${COLUMNS.map((_, at) => `$${at + 1}`).join(', ')})
  on conflict (connection, id) do update set state = ${STATE_SEEN_AGAIN}, ${KEPT_IF_UNCHANGED},
    ${['mark', 'face', 'how', 'seen_in', 'kind', 'parent', 'tags', 'bytes'].map((one) => `${one} = excluded.${one}`).join(', ')}`;

const stateSeen = ({ kind, skip }: SeenItem, { selects }: LedgerRules): string => {
  if (kind === 'folder') return 'folder';
  if (selects) return 'outside';
  return skip === undefined ? 'wanted' : 'skipped';
};

const noteSeen = ({ tx, now }: WriteContext, held: HeldRun, item: SeenItem, rules: LedgerRules) =>
  run(tx, NOTE_SEEN, [
    held.connection,
    item.id,
    stateSeen(item, rules),
    item.mark,
    JSON.stringify(item.face),
    JSON.stringify(item.how ?? null),
    held.look,
    now,
    item.skip?.code ?? null,
    item.skip?.message ?? null,
    item.kind ?? 'file',
    item.parent ?? null,
    item.tags === undefined ? null : JSON.stringify(item.tags),
    item.bytes ?? null,
  ]);

const PLACED = `('wanted', 'taken', 'failed')`;

/** The documents that may still be added. */
export const placesLeft = async (tx: Db, connection: string): Promise<number> => {
  const { rows } = await run<{ places: number }>(
    tx,
    `select document_limit - (select count(*) from connection_items
       where connection = $1 and state in ${PLACED}) as places from connections where id = $1`,
    [connection],
  );
  return Number(rows[0]?.places ?? 0);
};

/** Items that hold a place keep it; new ones get the places that are left. */
const withinLimit = async (
  tx: Db,
  held: HeldRun,
  items: readonly SeenItem[],
): Promise<{ kept: SeenItem[]; beyond: number }> => {
  let left = await placesLeft(tx, held.connection);
  if (left >= items.length) return { kept: [...items], beyond: 0 };
  const { rows } = await run<{ id: string }>(
    tx,
    `select id from connection_items where connection = $1 and id in (select value from text_list($2))
       and state in ('wanted', 'taken', 'failed', 'excluded')`,
    [held.connection, JSON.stringify(items.map(({ id }) => id))],
  );
  const placed = new Set(rows.map(({ id }) => id));
  const kept: SeenItem[] = [];
  for (const item of items) {
    const takesPlace = !placed.has(item.id) && item.skip === undefined && item.kind !== 'folder';
    if (takesPlace && left <= 0) continue;
    if (takesPlace) left -= 1;
    placed.add(item.id);
    kept.push(item);
  }
  return { kept, beyond: items.length - kept.length };
};

/** Everything below these folders. `$1` the connection, `$2` their ids. */
const BELOW = `with recursive below (id) as (
  select id from connection_items where connection = $1 and parent in (select value from text_list($2))
  union
  select connection_items.id from below inner join connection_items
    on connection_items.connection = $1 and connection_items.parent = below.id
)`;

/** Files below folders with another name or another parent have another path, and so another face. */
const retouchBelow = async (tx: Db, held: HeldRun, folders: readonly SeenItem[]): Promise<void> => {
  if (folders.length === 0) return;
  const { rows } = await run<{ id: string; face: string; parent: string | null }>(
    tx,
    `select id, face, parent from connection_items
       where connection = $1 and id in (select value from text_list($2)) and state = 'folder'`,
    [held.connection, JSON.stringify(folders.map(({ id }) => id))],
  );
  const former = new Map(rows.map((row) => [row.id, row]));
  const moved = folders.filter(({ id, face, parent }) => {
    const row = former.get(id);
    if (row === undefined) return false;
    return row.parent !== (parent ?? null) || JSON.parse(row.face).title !== face.title;
  });
  if (moved.length === 0) return;
  await run(
    tx,
    `${BELOW} update connection_items set state = 'wanted', taken_face = null
       where connection = $1 and state = 'taken' and id in (select id from below)`,
    [held.connection, JSON.stringify(moved.map(({ id }) => id))],
  );
};

/** Those that this look has not shown before: an interrupted run lists its source again, and a listing may repeat an item. */
const notSeenYet = async (tx: Db, held: HeldRun, items: readonly SeenItem[]): Promise<SeenItem[]> => {
  const { rows } = await run<{ id: string }>(
    tx,
    `select id from connection_items
       where connection = $1 and id in (select value from text_list($2)) and seen_in = $3`,
    [held.connection, JSON.stringify(items.map(({ id }) => id)), held.look],
  );
  const seen = new Set(rows.map(({ id }) => id));
  return items.filter(({ id }) => !seen.has(id));
};

/** Stores items outside of a page too, as those that the content of another leads to. */
export const storeSeen = async (
  tx: Db,
  held: HeldRun,
  { items, rules }: { items: readonly SeenItem[]; rules: LedgerRules },
  now: number,
): Promise<void> => {
  // Most contents lead to no other item, and to count the places of a connection takes longer than all the rest.
  if (items.length === 0) return;
  // The last word about an item counts, and a removal after it too.
  const last = [...new Map(items.map((item) => [item.id, item])).values()];
  await noteGone(tx, held, { ids: last.filter(({ gone }) => gone === true).map(({ id }) => id), rules });
  const here = last.filter(({ gone }) => gone !== true);
  await retouchBelow(
    tx,
    held,
    here.filter(({ kind }) => kind === 'folder'),
  );
  const { kept, beyond } = rules.selects ? { kept: here, beyond: 0 } : await withinLimit(tx, held, here);
  const fresh = await notSeenYet(tx, held, kept);
  for (const item of kept) await noteSeen({ tx, now }, held, item, rules);
  const skipped = rules.selects ? 0 : fresh.filter(({ skip }) => skip !== undefined).length;
  await countInRun(tx, held, { beyond_limit: beyond, looked: fresh.length + beyond, skipped });
};

/** Nothing of this look counts before this page. */
const forgetSeen = async (tx: Db, { connection, look, run: id }: HeldRun): Promise<void> => {
  await run(tx, 'update connection_items set seen_in = seen_in - 1 where connection = $1 and seen_in = $2', [
    connection,
    look,
  ]);
  await run(tx, 'update sync_runs set looked = 0, skipped = 0, beyond_limit = 0 where id = $1', [id]);
};

/** An item beyond the limit is not in the ledger, so that a listing which begins again counts it anew. */
const forgetBeyondLimit = (tx: Db, held: HeldRun) =>
  run(tx, 'update sync_runs set looked = looked - beyond_limit, beyond_limit = 0 where id = $1', [held.run]);

/** Everything that has a document is read again. */
const wantAgain = (tx: Db, { connection }: HeldRun, now: number) =>
  run(
    tx,
    `update connection_items set state = 'wanted', due_at = $2, taken_mark = null
       where connection = $1 and state = 'taken'`,
    [connection, now],
  );

export const storePage = async (
  tx: Db,
  held: HeldRun,
  { page, rules, until }: { page: SeenPage; rules: LedgerRules; until: number },
  now: number,
): Promise<boolean> => {
  if (!(await holdsLease(tx, held, until))) return false;
  if (page.restart === true) await forgetSeen(tx, held);
  else if (page.begins === true) await forgetBeyondLimit(tx, held);
  await storeSeen(tx, held, { items: page.items, rules }, now);
  if (page.again === true) await wantAgain(tx, held, now);
  for (const prefix of page.covered ?? []) await noteMissing(tx, held, { prefix, rules });
  await tx
    .updateTable('connections')
    .set({ cursor: JSON.stringify(page.cursor ?? null) })
    .where('id', '=', held.connection)
    .execute();
  return true;
};
