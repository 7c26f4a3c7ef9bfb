// The records of connections: made, found, paused and removed by requests.
import { type Selectable, sql, type Updateable } from '#kysely';
import type { Reach } from '../../../../core/scope.ts';
import { textList } from '../../engine/lists.ts';
import type {
  ConnectionChange,
  ConnectionRecord,
  ConnectionState,
  ConnectionWatch,
  ItemCounts,
  ItemRecord,
  ItemState,
  NewConnection,
  SignedIn,
  SignInEnd,
  SyncRunRecord,
  SyncTrigger,
} from '../../ports/connections/connections.ts';
import type { ScopedWrite } from '../../statements/contexts.ts';
import { holdsAllTags } from '../../statements/scoped-views.ts';
import type { ConnectionsTable, SyncRunsTable } from '../../tables/connection-tables.ts';
import type { Db } from '../../tables/tables.ts';
import { watchesOf } from './watched.ts';

/** Both are known only where they were asked for. */
interface RecordParts {
  readonly lastRun?: SyncRunRecord | undefined;
  readonly watch?: Omit<ConnectionWatch, 'problem'> | undefined;
}

export const connectionRecord = (
  row: Selectable<ConnectionsTable>,
  { lastRun, watch }: RecordParts = {},
): ConnectionRecord => ({
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
  account: row.account,
  email: row.email,
  choice: row.choice === null ? null : JSON.parse(row.choice),
  app: row.app,
  grantEndsAt: row.grant_ends_at,
  problem: row.problem,
  lastRun: lastRun ?? null,
  watch: { ...(watch ?? { made: false, heardAt: null, endsAt: null }), problem: row.hooks_problem },
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
  looked: row.looked,
  added: row.added,
  updated: row.updated,
  unchanged: row.unchanged,
  skipped: row.skipped,
  requests: row.requests,
  bytes: row.bytes,
  waitedMs: row.waited_ms,
  errorCode: row.error_code,
  error: row.error,
});

const isReadable = ({ reads }: Reach, tags: readonly string[]): boolean =>
  reads === null || tags.some((tag) => reads.includes(tag));

/** The newest run of each. */
const lastRuns = async (db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, SyncRunRecord>> => {
  const rows = await db
    .selectFrom('sync_runs')
    .innerJoin('connections', (join) =>
      join
        .onRef('connections.id', '=', 'sync_runs.connection')
        .onRef('connections.looks', '=', 'sync_runs.look'),
    )
    .selectAll('sync_runs')
    .where('sync_runs.connection', 'in', textList(ids))
    .execute();
  return new Map(rows.map((row) => [row.connection, syncRunRecord(row)]));
};

export const listConnections = async (db: Db, reach: Reach): Promise<ConnectionRecord[]> => {
  const rows = await db
    .selectFrom('connections')
    .selectAll()
    .where('state', '<>', 'removing')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const seen = rows.filter(({ tags }) => isReadable(reach, JSON.parse(tags)));
  const ids = seen.map(({ id }) => id);
  const [runs, watches] = await Promise.all([lastRuns(db, ids), watchesOf(db, ids)]);
  return seen.map((row) => connectionRecord(row, { lastRun: runs.get(row.id), watch: watches.get(row.id) }));
};

export const getConnection = async (db: Db, reach: Reach, id: string): Promise<ConnectionRecord | null> => {
  const row = await db
    .selectFrom('connections')
    .selectAll()
    .where('id', '=', id)
    .where('state', '<>', 'removing')
    .executeTakeFirst();
  if (row === undefined || !isReadable(reach, JSON.parse(row.tags))) return null;
  const [runs, watches] = await Promise.all([lastRuns(db, [id]), watchesOf(db, [id])]);
  return connectionRecord(row, { lastRun: runs.get(id), watch: watches.get(id) });
};

/** A connection is changed by a caller that holds all of its tags. */
export const mayChangeConnection = async (tx: Db, reach: Reach, id: string): Promise<boolean> => {
  const row = await tx
    .selectFrom('connections')
    .select('tags')
    .where('id', '=', id)
    .where('state', '<>', 'removing')
    .executeTakeFirst();
  return row !== undefined && holdsAllTags(reach, JSON.parse(row.tags));
};

/** False: the caller does not hold all of its tags. */
export const createConnection = async (tx: Db, reach: Reach, connection: NewConnection): Promise<boolean> => {
  if (!holdsAllTags(reach, connection.tags)) return false;
  const { id, provider, tags, state, documentLimit, metadata, createdBy, createdAt } = connection;
  const { nextLookAt, sealed, account, email, app } = connection;
  await tx
    .insertInto('connections')
    .values({
      id,
      provider,
      tags: JSON.stringify(tags),
      state,
      document_limit: documentLimit,
      metadata: JSON.stringify(metadata),
      created_by: createdBy,
      created_at: createdAt,
      look_due_at: nextLookAt,
      wanted_by: null,
      account,
      email,
      app,
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
  if (!(await mayChangeConnection(tx, reach, id))) return false;
  const change = tx.updateTable('connections').set(changes).where('id', '=', id);
  const { numUpdatedRows } = await (states === null
    ? change
    : change.where('state', 'in', states)
  ).executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** The run that has the lease loses it, so it writes nothing after this. */
export const pauseConnection = (tx: Db, reach: Reach, id: string, now: number): Promise<boolean> =>
  changeConnection(
    tx,
    { reach, id, states: ['active', 'held', 'paused'] },
    { state: 'paused', lease: null, hooks_due_at: now },
  );

export const resumeConnection = (tx: Db, reach: Reach, id: string, now: number): Promise<boolean> =>
  changeConnection(
    tx,
    { reach, id, states: ['paused'] },
    { state: 'active', look_due_at: now, failures: 0, held: 0, problem: null, hooks_due_at: now },
  );

/** The removals happen after the next look, which shows what is really missing. */
export const acceptRemovals = (tx: Db, reach: Reach, id: string, now: number): Promise<boolean> =>
  changeConnection(
    tx,
    { reach, id, states: ['held'] },
    { state: 'active', look_due_at: now, wanted_by: 'manual', held: 0, removals_accepted: 1, problem: null },
  );

export const wantLook = (
  tx: Db,
  reach: Reach,
  { id, trigger }: { id: string; trigger: Exclude<SyncTrigger, 'cron'> },
  now: number,
): Promise<boolean> =>
  changeConnection(tx, { reach, id, states: ['active'] }, { look_due_at: now, wanted_by: trigger });

export const changeSettings = async (
  { tx, reach, now }: ScopedWrite,
  id: string,
  { choice, documentLimit, sealed, metadata }: ConnectionChange,
): Promise<boolean> => {
  const chosen = choice === undefined ? {} : { choice: JSON.stringify(choice) };
  const changed = await changeConnection(
    tx,
    { reach, id, states: null },
    {
      ...chosen,
      ...(documentLimit === undefined ? {} : { document_limit: documentLimit }),
      ...(metadata === undefined ? {} : { metadata: JSON.stringify(metadata) }),
      look_due_at: now,
      wanted_by: 'manual',
      // A run with the former secrets may be refused, and would sign the connection out.
      ...(sealed === undefined ? {} : { lease: null }),
      // Things that are chosen now may lie outside of what the last look has shown.
      ...(choice === undefined ? {} : { cursor: null, lease: null, hooks_due_at: now }),
    },
  );
  if (!changed) return false;
  if (choice !== undefined) await activate(tx, id, 'choosing');
  if (sealed !== undefined) {
    await storeSecrets(tx, id, sealed);
    await activate(tx, id, 'signed_out');
  }
  return true;
};

const activate = (tx: Db, id: string, state: 'choosing' | 'signed_out') =>
  tx
    .updateTable('connections')
    .set((eb) => ({ state: 'active', failures: 0, problem: null, hooks_due_at: eb.ref('look_due_at') }))
    .where('id', '=', id)
    .where('state', '=', state)
    .execute();

/** The tokens of a sign-in, or the key that a person gave. */
export const storeSecrets = async (tx: Db, connection: string, sealed: string): Promise<void> => {
  await tx
    .insertInto('connection_secrets')
    .values({ connection, sealed })
    .onConflict((conflict) => conflict.column('connection').doUpdateSet({ sealed }))
    .execute();
};

/** A connection that was removed meanwhile keeps none. */
export const renewSecrets = async (tx: Db, reach: Reach, id: string, sealed: string): Promise<void> => {
  if (await mayChangeConnection(tx, reach, id)) await storeSecrets(tx, id, sealed);
};

export const readSecrets = async (db: Db, connection: string): Promise<string | null> => {
  const row = await db
    .selectFrom('connection_secrets')
    .select('sealed')
    .where('connection', '=', connection)
    .executeTakeFirst();
  return row?.sealed ?? null;
};

export const secretsFor = async (tx: Db, reach: Reach, id: string): Promise<string | null> =>
  (await mayChangeConnection(tx, reach, id)) ? readSecrets(tx, id) : null;

/**
 * Checks that it still is the same account: another sign-in may have ended after this one began. A run of the former sign-in
 * loses its lease: it may be refused, and would sign the connection out.
 */
export const noteSignedIn = async (
  { tx, reach, now }: ScopedWrite,
  id: string,
  { sealed, account, email, app, grantEndsAt, state }: SignedIn,
): Promise<SignInEnd> => {
  if (!(await mayChangeConnection(tx, reach, id))) return 'removed';
  const { numUpdatedRows } = await tx
    .updateTable('connections')
    .set({
      ...{ account, email, app, state, problem: null, failures: 0, look_due_at: now },
      ...{ grant_ends_at: grantEndsAt, hooks_due_at: now, lease: null },
    })
    .where('id', '=', id)
    .where('state', '<>', 'removing')
    .where((eb) => eb.or([eb('account', 'is', null), eb('account', '=', account)]))
    .executeTakeFirst();
  if (numUpdatedRows > 0n) {
    await storeSecrets(tx, id, sealed);
    return 'finished';
  }
  return (await mayChangeConnection(tx, reach, id)) ? 'otherAccount' : 'removed';
};

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
  { state, limit, offset }: { state: ItemState; limit: number; offset: number },
): Promise<ItemRecord[]> => {
  if ((await getConnection(db, reach, id)) === null) return [];
  const rows = await db
    .selectFrom('connection_items')
    .select(['id', 'state', 'doc', 'face', 'error', 'error_code'])
    .where('connection', '=', id)
    .where('state', '=', state)
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(({ error_code, face, ...item }) => {
    const { title, path } = JSON.parse(face) as { title?: string; path?: string };
    return { ...item, title: title ?? null, path: path ?? null, errorCode: error_code };
  });
};

/** The items of all connections at once: a list may have thousands of connections. */
export const countItems = async (
  db: Db,
  reach: Reach,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ItemCounts>> => {
  const asked = await db
    .selectFrom('connections')
    .select(['id', 'tags'])
    .where('id', 'in', textList(ids))
    .where('state', '<>', 'removing')
    .execute();
  const readable = asked.filter(({ tags }) => isReadable(reach, JSON.parse(tags))).map(({ id }) => id);
  const rows = await db
    .selectFrom('connection_items')
    .select(['connection', 'state', sql<number>`count(*)`.as('items')])
    .where('connection', 'in', textList(readable))
    .groupBy(['connection', 'state'])
    .execute();
  const counts = new Map<string, ItemCounts>(readable.map((id) => [id, {}]));
  for (const { connection, state, items } of rows)
    counts.set(connection, { ...counts.get(connection), [state]: Number(items) });
  return counts;
};

/** A person wants what was deleted here before. */
export const includeItems = async (
  { tx, reach, now }: ScopedWrite,
  id: string,
  items: readonly string[],
): Promise<number> => {
  if (!(await mayChangeConnection(tx, reach, id))) return 0;
  const { numUpdatedRows } = await tx
    .updateTable('connection_items')
    .set({ state: 'wanted', due_at: now, attempts: 0, taken_mark: null, error_code: null, error: null })
    .where('connection', '=', id)
    .where('id', 'in', textList(items))
    .where('state', 'in', ['excluded', 'failed'])
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await wantLook(tx, reach, { id, trigger: 'manual' }, now);
  return Number(numUpdatedRows);
};
