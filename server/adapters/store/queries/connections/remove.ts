// The removal of a connection: one write hides it with its documents, and the rest follows in slices, so that other writes do
// not wait.
import { countInContainer } from '../../engine/counts.ts';
import { numberList } from '../../engine/lists.ts';
import { lockDocuments, lockMemoriesOf, needsLocks } from '../../engine/locks.ts';
import { run } from '../../engine/run.ts';
import type { ScopedWrite, WriteContext } from '../../statements/contexts.ts';
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

/** Documents that another connection brings too are its own from now on. */
const handOver = (tx: Db, id: string) =>
  run(
    tx,
    `update documents set connection = shared.other from (
       select own.doc, min(others.connection) as other from connection_items as own
         inner join connection_items as others on others.doc = own.doc and others.connection <> own.connection
           and others.state not in ('gone', 'outside')
         inner join connections on connections.id = others.connection and connections.state <> 'removing'
         where own.connection = $1 and own.doc is not null group by own.doc
     ) as shared where documents.id = shared.doc and documents.connection = $1`,
    [id],
  );

const lockDocumentsOf = async (tx: Db, id: string): Promise<void> => {
  // To find ten thousand takes a tenth of the time that hides them.
  if (!needsLocks(tx)) return;
  const { rows } = await run<{ n: number }>(
    tx,
    'select n from documents where connection = $1 and deleted = 0',
    [id],
  );
  await lockDocuments(
    tx,
    rows.map(({ n }) => n),
  );
};

/** As few changes as hide them, because a source may have brought ten thousand. */
const hideDocuments = async ({ tx, now }: WriteContext, id: string): Promise<void> => {
  await lockDocumentsOf(tx, id);
  const { rows } = await run<{ container: number }>(
    tx,
    `update documents set deleted = 1, lease = null, lease_boot = null, updated_at = $2
       where connection = $1 and deleted = 0 returning container`,
    [id, now],
  );
  for (const [container, hidden] of Map.groupBy(rows, (row) => row.container))
    await countInContainer(tx, container, { documents: -hidden.length });
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
  if (!keepDocuments) await hideDocuments({ tx, now }, id);
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

export interface RemovalSlice {
  /** Those that go with it. */
  documents: number;
  more: boolean;
}

/** The purger waits for it, because the memories of the documents settle while their rows are there. */
export const removeSlice = async (tx: Db, id: string): Promise<RemovalSlice> => {
  const connection = await tx
    .selectFrom('connections')
    .select('keeps_documents')
    .where('id', '=', id)
    .where('state', '=', 'removing')
    .executeTakeFirst();
  if (connection === undefined) return { documents: 0, more: false };
  const rows = await tx
    .selectFrom('documents')
    .select(['n', 'container'])
    .where('connection', '=', id)
    .limit(DOCUMENTS_AT_ONCE)
    .execute();
  const ns = rows.map(({ n }) => n);
  const documents = connection.keeps_documents === 1 ? 0 : ns.length;
  await lockMemoriesOf(
    tx,
    rows.map(({ container }) => container),
  );
  await lockDocuments(tx, ns);
  if (connection.keeps_documents === 0) await settleDeleted(tx, ns);
  await tx.updateTable('documents').set({ connection: null }).where('n', 'in', numberList(ns)).execute();
  if (rows.length === DOCUMENTS_AT_ONCE) return { documents, more: true };
  await eraseRecord(tx, id);
  return { documents, more: false };
};

/** Null: no removal is unfinished. */
export const unfinishedRemoval = async (db: Db): Promise<string | null> => {
  const row = await db
    .selectFrom('connections')
    .select('id')
    .where('state', '=', 'removing')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
};
