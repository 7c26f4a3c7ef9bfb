// The records of connections: made, found, paused and removed by requests.
import { type Selectable, sql, type Updateable } from 'kysely';
import type { Reach } from '../../../../core/scope.ts';
import { textList } from '../../engine/lists.ts';
import type {
  ConnectionRecord,
  ConnectionState,
  ItemRecord,
  ItemState,
  NewConnection,
  SyncRunRecord,
  SyncTrigger,
} from '../../ports/connections.ts';
import { holdsAllTags } from '../../statements/scoped-views.ts';
import type { ConnectionsTable, SyncRunsTable } from '../../tables/connection-tables.ts';
import type { Db } from '../../tables/tables.ts';

export const connectionRecord = (row: Selectable<ConnectionsTable>): ConnectionRecord => ({
  id: row.id,
  provider: row.provider,
  tags: JSON.parse(row.tags),
  state: row.state,
  documentLimit: row.document_limit,
  metadata: JSON.parse(row.metadata),
  createdBy: row.created_by,
  createdAt: row.created_at,
  nextLookAt: row.state === 'active' ? row.look_due_at : null,
  held: row.held,
});

const syncRunRecord = (row: Selectable<SyncRunsTable>): SyncRunRecord => ({
  id: row.id,
  connectionId: row.connection,
  status: row.status,
  trigger: row.trigger_type,
  startedAt: row.started_at,
  completedAt: row.completed_at,
  processed: row.processed,
  failed: row.failed,
  removed: row.removed,
  beyondLimit: row.beyond_limit,
  errorCode: row.error_code,
  error: row.error,
});

const isReadable = ({ reads }: Reach, tags: readonly string[]): boolean =>
  reads === null || tags.some((tag) => reads.includes(tag));

export const listConnections = async (db: Db, reach: Reach): Promise<ConnectionRecord[]> => {
  const rows = await db.selectFrom('connections').selectAll().orderBy('created_at').orderBy('id').execute();
  return rows.map(connectionRecord).filter(({ tags }) => isReadable(reach, tags));
};

export const getConnection = async (db: Db, reach: Reach, id: string): Promise<ConnectionRecord | null> => {
  const row = await db.selectFrom('connections').selectAll().where('id', '=', id).executeTakeFirst();
  const record = row === undefined ? null : connectionRecord(row);
  return record !== null && isReadable(reach, record.tags) ? record : null;
};

/** A connection is changed by a caller that holds all of its tags. */
const mayChange = async (tx: Db, reach: Reach, id: string): Promise<boolean> => {
  const row = await tx.selectFrom('connections').select('tags').where('id', '=', id).executeTakeFirst();
  return row !== undefined && holdsAllTags(reach, JSON.parse(row.tags));
};

/** False: the caller does not hold all of its tags. */
export const createConnection = async (tx: Db, reach: Reach, connection: NewConnection): Promise<boolean> => {
  if (!holdsAllTags(reach, connection.tags)) return false;
  const { id, provider, tags, documentLimit, metadata, createdBy, createdAt, nextLookAt, sealed } =
    connection;
  await tx
    .insertInto('connections')
    .values({
      id,
      provider,
      tags: JSON.stringify(tags),
      state: 'active',
      document_limit: documentLimit,
      metadata: JSON.stringify(metadata),
      created_by: createdBy,
      created_at: createdAt,
      look_due_at: nextLookAt,
      wanted_by: null,
    })
    .execute();
  if (sealed !== null) await tx.insertInto('connection_secrets').values({ connection: id, sealed }).execute();
  return true;
};

/** False: there is none in such a state that the caller may change. `states`: null for any. */
const changeConnection = async (
  tx: Db,
  { reach, id, states }: { reach: Reach; id: string; states: ConnectionState[] | null },
  changes: Updateable<ConnectionsTable>,
): Promise<boolean> => {
  if (!(await mayChange(tx, reach, id))) return false;
  const change = tx.updateTable('connections').set(changes).where('id', '=', id);
  const { numUpdatedRows } = await (states === null
    ? change
    : change.where('state', 'in', states)
  ).executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** The run that has the lease loses it, so it writes nothing after this. */
export const pauseConnection = (tx: Db, reach: Reach, id: string): Promise<boolean> =>
  changeConnection(tx, { reach, id, states: null }, { state: 'paused', lease: null });

export const resumeConnection = (tx: Db, reach: Reach, id: string, now: number): Promise<boolean> =>
  changeConnection(
    tx,
    { reach, id, states: ['paused', 'signed_out'] },
    { state: 'active', look_due_at: now, failures: 0 },
  );

/** The removals happen after the next look, which shows what is really missing. */
export const acceptRemovals = (tx: Db, reach: Reach, id: string, now: number): Promise<boolean> =>
  changeConnection(
    tx,
    { reach, id, states: ['held'] },
    { state: 'active', look_due_at: now, wanted_by: 'manual', held: 0, removals_accepted: 1 },
  );

export const wantLook = (
  tx: Db,
  reach: Reach,
  { id, trigger }: { id: string; trigger: Exclude<SyncTrigger, 'cron'> },
  now: number,
): Promise<boolean> =>
  changeConnection(tx, { reach, id, states: ['active'] }, { look_due_at: now, wanted_by: trigger });

/** Returns the ids of the documents that no other connection holds; null: there was none. */
export const eraseConnection = async (tx: Db, id: string): Promise<string[] | null> => {
  const { numDeletedRows } = await tx.deleteFrom('connections').where('id', '=', id).executeTakeFirst();
  if (numDeletedRows === 0n) return null;
  const held = await tx
    .selectFrom('connection_items')
    .select('doc')
    .where('connection', '=', id)
    .where('doc', 'is not', null)
    .execute();
  await tx.deleteFrom('connection_items').where('connection', '=', id).execute();
  await tx.deleteFrom('connection_secrets').where('connection', '=', id).execute();
  await tx.deleteFrom('sync_runs').where('connection', '=', id).execute();
  const docs = [...new Set(held.flatMap(({ doc }) => (doc === null ? [] : [doc])))];
  const shared = await tx
    .selectFrom('connection_items')
    .select('doc')
    .where('doc', 'in', textList(docs))
    .execute();
  const others = new Set(shared.map(({ doc }) => doc));
  return docs.filter((doc) => !others.has(doc));
};

export const removeConnection = async (tx: Db, reach: Reach, id: string): Promise<string[] | null> =>
  (await mayChange(tx, reach, id)) ? eraseConnection(tx, id) : null;

export const listRuns = async (db: Db, reach: Reach, id: string, limit: number): Promise<SyncRunRecord[]> => {
  if ((await getConnection(db, reach, id)) === null) return [];
  const rows = await db
    .selectFrom('sync_runs')
    .selectAll()
    .where('connection', '=', id)
    .orderBy('look', 'desc')
    .limit(limit)
    .execute();
  return rows.map(syncRunRecord);
};

export const listItems = async (
  db: Db,
  reach: Reach,
  id: string,
  { state, limit }: { state: ItemState; limit: number },
): Promise<ItemRecord[]> => {
  if ((await getConnection(db, reach, id)) === null) return [];
  const rows = await db
    .selectFrom('connection_items')
    .select(['id', 'state', 'doc', 'error', 'error_code'])
    .where('connection', '=', id)
    .where('state', '=', state)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ error_code, ...item }) => ({ ...item, errorCode: error_code }));
};

export const countItems = async (
  db: Db,
  reach: Reach,
  id: string,
): Promise<Partial<Record<ItemState, number>>> => {
  if ((await getConnection(db, reach, id)) === null) return {};
  const rows = await db
    .selectFrom('connection_items')
    .select(['state', sql<number>`count(*)`.as('items')])
    .where('connection', '=', id)
    .groupBy('state')
    .execute();
  return Object.fromEntries(rows.map(({ state, items }) => [state, items]));
};
