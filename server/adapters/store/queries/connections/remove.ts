// The removal of a connection: one small write hides it, and its documents follow in slices, so that other writes do not wait.
import { textList } from '../../engine/lists.ts';
import { run } from '../../engine/run.ts';
import type { ScopedWrite, WriteContext } from '../../statements/contexts.ts';
import type { Db } from '../../tables/tables.ts';
import { mayChangeConnection } from './connections.ts';
import { beginFarewell } from './farewells.ts';
import { deleteDocuments, releaseDocuments } from './gone.ts';

const ITEMS_AT_ONCE = 2000;

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
  // What its source is still to be told has moved away, and nothing else needs them.
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
  /** Documents that were hidden. */
  documents: number;
  more: boolean;
}

export const removeSlice = async (tx: Db, id: string, now: number): Promise<RemovalSlice> => {
  const connection = await tx
    .selectFrom('connections')
    .select('keeps_documents')
    .where('id', '=', id)
    .where('state', '=', 'removing')
    .executeTakeFirst();
  if (connection === undefined) return { documents: 0, more: false };
  if (connection.keeps_documents === 1)
    await run(tx, 'update connection_items set doc = null where connection = $1', [id]);
  const rows = await tx
    .selectFrom('connection_items')
    .select(['id', 'doc'])
    .where('connection', '=', id)
    .where('doc', 'is not', null)
    .limit(ITEMS_AT_ONCE)
    .execute();
  await tx
    .updateTable('connection_items')
    .set({ doc: null })
    .where('connection', '=', id)
    .where('id', 'in', textList(rows.map((row) => row.id)))
    .execute();
  const docs = rows.flatMap(({ doc }) => (doc === null ? [] : [doc]));
  const alone = await releaseDocuments(tx, id, docs);
  const documents = await deleteDocuments(tx, alone, now);
  if (rows.length === ITEMS_AT_ONCE) return { documents, more: true };
  await run(tx, 'update documents set connection = null where connection = $1', [id]);
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
