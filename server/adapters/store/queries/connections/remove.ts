// The removal of a connection: one write hides it with its documents, and the rest follows in slices, so that other writes do
// not wait.
import { sql } from '#kysely';
import { countInContainer } from '../../engine/counts.ts';
import { numberList } from '../../engine/lists.ts';
import { lockDocuments, lockMemoriesOf } from '../../engine/locks.ts';
import { run } from '../../engine/run.ts';
import type { ScopedWrite, WriteContext } from '../../statements/contexts.ts';
import { LIVING_TEXT } from '../../statements/scoped-views.ts';
import type { Db } from '../../tables/tables.ts';
import { settleDeleted } from '../documents/delete.ts';
import { mayChangeConnection } from './connections.ts';
import { beginFarewell } from './farewells.ts';

const DOCUMENTS_AT_ONCE = 2000;

/** False: there is none that the caller may change. */
export const startRemoval = async (
  { tx, reach, now }: ScopedWrite,
  id: string,
  keepDocuments: boolean,
): Promise<boolean> => {
  if (!(await mayChangeConnection(tx, reach, id))) return false;
  await markRemoving({ tx, now }, id, keepDocuments);
  return true;
};

/** Documents that another connection brings too are its own from now on. They are looked for in indexes alone. */
const handOver = (tx: Db, id: string) =>
  run(
    tx,
    `update documents set connection = shared.other from (
       select others.doc, min(others.connection) as other from connection_items as others
         inner join connections on connections.id = others.connection and connections.state <> 'removing'
         where others.connection <> $1 and others.state not in ('gone', 'outside') and others.doc in (
           select own.doc from connection_items as own where own.connection = $1 and own.doc is not null
             and exists (select 1 from connection_items as beside
               where beside.doc = own.doc and beside.connection <> own.connection))
         group by others.doc
     ) as shared where documents.id = shared.doc and documents.connection = $1`,
    [id],
  );

/** No worker stores what it made of them. */
const endLeases = async (tx: Db, id: string): Promise<void> => {
  const { rows } = await run<{ n: number; connection: string | null }>(
    tx,
    'select n, connection from documents where lease is not null',
  );
  const ns = rows.flatMap(({ n, connection }) => (connection === id ? [n] : []));
  await tx
    .updateTable('documents')
    .set({ lease: null, lease_boot: null })
    .where('n', 'in', numberList(ns))
    .execute();
};

/** Their numbers alone are written: to mark ten thousand rows as deleted takes a hundred times as long. */
const hideDocuments = async (tx: Db, id: string): Promise<void> => {
  const { rows } = await run<{ container: number; documents: number }>(
    tx,
    `select container, count(*) as documents from documents where connection = $1 and ${LIVING_TEXT} group by container`,
    [id],
  );
  await run(
    tx,
    `insert into documents_hidden (doc) select n from documents where connection = $1 and ${LIVING_TEXT}`,
    [id],
  );
  for (const { container, documents } of rows)
    await countInContainer(tx, container, { documents: -Number(documents) });
  // A process that keeps their memories in its own memory reads them again.
  await run(
    tx,
    `update tags set changes = changes + 1 where n in (
       select tag from container_tags where container in (select value from number_list($1)))`,
    [JSON.stringify(rows.map(({ container }) => container))],
  );
  await endLeases(tx, id);
};

export const markRemoving = async (
  { tx, now }: WriteContext,
  id: string,
  keepDocuments: boolean,
): Promise<void> => {
  await beginFarewell({ tx, now }, id);
  await tx
    .updateTable('connections')
    .set({ state: 'removing', lease: null, keeps_documents: keepDocuments ? 1 : 0, look_due_at: null })
    .where('id', '=', id)
    .execute();
  await handOver(tx, id);
  if (!keepDocuments) await hideDocuments(tx, id);
  // The secrets for its last calls to the source were moved before, and nothing else needs these rows.
  await tx.deleteFrom('connection_hooks').where('connection', '=', id).execute();
  await tx.deleteFrom('connection_secrets').where('connection', '=', id).execute();
  await tx.deleteFrom('connection_states').where('connection', '=', id).execute();
};

const eraseRecord = async (tx: Db, id: string): Promise<void> => {
  for (const table of ['connection_items', 'sync_runs'] as const)
    await tx.deleteFrom(table).where('connection', '=', id).execute();
  await tx.deleteFrom('connections').where('id', '=', id).execute();
};

/** Marks the next hidden documents as deleted, those of a connection or any; returns their number. */
export const settleHidden = async (tx: Db, connection?: string): Promise<number> => {
  let hidden = tx
    .selectFrom('documents_hidden')
    .innerJoin('documents', 'documents.n', 'documents_hidden.doc')
    .select(['documents.n', 'documents.container']);
  if (connection !== undefined) hidden = hidden.where('documents.connection', '=', connection);
  const rows = await hidden.limit(DOCUMENTS_AT_ONCE).execute();
  const ns = rows.map(({ n }) => n);
  await lockMemoriesOf(
    tx,
    rows.map(({ container }) => container),
  );
  await lockDocuments(tx, ns);
  await tx.updateTable('documents').set({ deleted: 1 }).where('n', 'in', numberList(ns)).execute();
  await settleDeleted(tx, ns);
  await tx.deleteFrom('documents_hidden').where('doc', 'in', numberList(ns)).execute();
  return ns.length;
};

/** The next documents belong to no connection from now on; returns their number. */
const releaseKept = async (tx: Db, connection: string): Promise<number> => {
  const rows = await tx
    .selectFrom('documents')
    .select('n')
    .where('connection', '=', connection)
    .where('deleted', '=', sql.lit(0))
    .limit(DOCUMENTS_AT_ONCE)
    .execute();
  const ns = rows.map(({ n }) => n);
  await lockDocuments(tx, ns);
  await tx.updateTable('documents').set({ connection: null }).where('n', 'in', numberList(ns)).execute();
  return ns.length;
};

export interface RemovalSlice {
  /** The documents that go with the connection. */
  documents: number;
  more: boolean;
}

export const removeSlice = async (tx: Db, id: string): Promise<RemovalSlice> => {
  const connection = await tx
    .selectFrom('connections')
    .select('keeps_documents')
    .where('id', '=', id)
    .where('state', '=', sql.lit('removing'))
    .executeTakeFirst();
  if (connection === undefined) return { documents: 0, more: false };
  const keeps = connection.keeps_documents === 1;
  const done = keeps ? await releaseKept(tx, id) : await settleHidden(tx, id);
  const more = done === DOCUMENTS_AT_ONCE;
  if (!more) await eraseRecord(tx, id);
  return { documents: keeps ? 0 : done, more };
};

/** Null: no removal is unfinished. */
export const unfinishedRemoval = async (db: Db): Promise<string | null> => {
  const row = await db
    .selectFrom('connections')
    .select('id')
    .where('state', '=', sql.lit('removing'))
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
};
