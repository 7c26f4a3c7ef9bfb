// The runs of connections: one at a time for each, under a lease that ends with its process.
import type { Selectable } from '#kysely';
import type { NamedLease } from '../../../../lib/async/background/handover.ts';
import { newId } from '../../../../lib/ids.ts';
import { run } from '../../engine/run.ts';
import type { HeldRun, LeasedRun, RunCounts, RunEnd } from '../../ports/connections/connections.ts';
import type { ConnectionsTable } from '../../tables/connection-tables.ts';
import type { Db } from '../../tables/tables.ts';
import { connectionRecord, readSecrets } from './connections.ts';
import { watchesOf } from './watched.ts';

const RUNS_KEPT = 200;

/** The number of the connection's run that was cut off, or of a new one. */
const openRun = async (
  tx: Db,
  connection: { id: string; looks: number; wanted_by: 'manual' | 'event' | null },
  now: number,
): Promise<{ run: string; look: number }> => {
  const cutOff = await tx
    .selectFrom('sync_runs')
    .select(['id', 'look'])
    .where('connection', '=', connection.id)
    .where('look', '=', connection.looks)
    .where('status', '=', 'running')
    .executeTakeFirst();
  if (cutOff !== undefined) return { run: cutOff.id, look: cutOff.look };
  const fresh = { run: newId(), look: connection.looks + 1 };
  await tx
    .insertInto('sync_runs')
    .values({
      id: fresh.run,
      connection: connection.id,
      look: fresh.look,
      status: 'running',
      trigger_type: connection.wanted_by ?? 'cron',
      started_at: now,
      completed_at: null,
      error_code: null,
      error: null,
    })
    .execute();
  await tx
    .updateTable('connections')
    .set({ looks: fresh.look, wanted_by: null })
    .where('id', '=', connection.id)
    .execute();
  return fresh;
};

const DUE_RUN = `state = 'active' and look_due_at <= $1 and not_before <= $1 and (lease is null or lease_until <= $1)`;

/** The connection that is due longest; null: none is due. */
export const dueRun = async (db: Db, now: number): Promise<string | null> => {
  const { rows } = await run<{ id: string }>(
    db,
    `select id from connections where ${DUE_RUN} order by look_due_at, id limit 1`,
    [now],
  );
  return rows[0]?.id ?? null;
};

/** Null: it is not due any more, or another process has taken it. */
export const leaseRun = async (
  tx: Db,
  connection: string,
  { lease, forMs }: NamedLease,
  now: number,
): Promise<LeasedRun | null> => {
  // If two processes saw it due, the second one waits here and then finds what the first one made of it.
  const { rows } = await run<Selectable<ConnectionsTable>>(
    tx,
    `update connections set lease = $2, lease_until = $3 where id = $4 and ((${DUE_RUN}) or lease = $2) returning *`,
    [now, lease, now + forMs, connection],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const watches = await watchesOf(tx, [connection]);
  return {
    ...{ connection, lease },
    ...(await openRun(tx, row, now)),
    record: connectionRecord(row, { watch: watches.get(connection) }),
    sealed: await readSecrets(tx, connection),
    cursor: row.cursor === null ? null : JSON.parse(row.cursor),
    failures: row.failures,
  };
};

/** Frees a connection whose lease, of a run or of hooks, did not reach its worker. */
export const giveBackConnection = async (tx: Db, connection: string, lease: string): Promise<void> => {
  // This statement waits for the row, because the write of the lost lease may still be ending.
  await run(
    tx,
    'update connections set lease = case when lease = $2 then null else lease end where id = $1',
    [connection, lease],
  );
};

/** Also locks the row, so that the lease cannot be lost before the transaction ends. */
export const holdsLease = async (tx: Db, held: HeldRun, until?: number): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('connections')
    .set(until === undefined ? { lease: held.lease } : { lease_until: until })
    .where('id', '=', held.connection)
    .where('lease', '=', held.lease)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

const forgetOldRuns = async (tx: Db, held: HeldRun): Promise<void> => {
  await tx
    .deleteFrom('sync_runs')
    .where('connection', '=', held.connection)
    .where('look', '<=', held.look - RUNS_KEPT)
    .execute();
};

/** A wish that came during the run stays due. */
const releaseConnection = async (tx: Db, held: HeldRun, end: RunEnd): Promise<void> => {
  const failed = end.status === 'failed';
  await tx
    .updateTable('connections')
    .set((eb) => ({
      lease: null,
      failures: failed ? eb('failures', '+', 1) : eb.val(0),
      look_due_at: eb
        .case()
        .when('wanted_by', 'is not', null)
        .then(eb.ref('look_due_at'))
        .else(end.nextLookAt)
        .end(),
      // The source may have silenced the account for longer meanwhile, in the run of another connection.
      ...(end.notBefore === undefined
        ? {}
        : {
            not_before: eb
              .case()
              .when('not_before', '>', end.notBefore)
              .then(eb.ref('not_before'))
              .else(end.notBefore)
              .end(),
          }),
      ...(end.signedOut === true ? { state: 'signed_out' as const, problem: end.error } : {}),
    }))
    .where('id', '=', held.connection)
    .execute();
};

export const endRun = async (tx: Db, held: HeldRun, end: RunEnd, now: number): Promise<boolean> => {
  if (!(await holdsLease(tx, held))) return false;
  await tx
    .updateTable('sync_runs')
    .set({ status: end.status, completed_at: now, error_code: end.errorCode, error: end.error })
    .where('id', '=', held.run)
    .execute();
  await forgetOldRuns(tx, held);
  await releaseConnection(tx, held, end);
  return true;
};

type RunCount =
  | 'processed'
  | 'failed'
  | 'removed'
  | 'beyond_limit'
  | 'looked'
  | 'added'
  | 'updated'
  | 'unchanged'
  | 'skipped'
  | 'requests'
  | 'bytes'
  | 'waited_ms';

/** Counts for people who follow the run. */
export const countInRun = async (
  tx: Db,
  held: HeldRun,
  counts: Partial<Record<RunCount, number>>,
): Promise<void> => {
  const changed = Object.entries(counts).filter(([, items]) => items > 0);
  if (changed.length === 0) return;
  await tx
    .updateTable('sync_runs')
    .set((eb) =>
      Object.fromEntries(changed.map(([column, items]) => [column, eb(column as RunCount, '+', items)])),
    )
    .where('id', '=', held.run)
    .execute();
};

/** The lease for a while longer, and what the run has cost meanwhile. */
export const renewRun = async (
  tx: Db,
  held: HeldRun,
  { until, counts }: { until: number; counts: RunCounts },
): Promise<boolean> => {
  if (!(await holdsLease(tx, held, until))) return false;
  const { requests = 0, bytes = 0, waitedMs = 0 } = counts;
  await countInRun(tx, held, { requests, bytes, waited_ms: waitedMs });
  return true;
};

/** Null: nothing will be due by itself. */
export const nextRunAt = async (db: Db): Promise<number | null> => {
  const { rows } = await run<{ due: number | null }>(
    db,
    `select min(case when look_due_at > not_before then look_due_at else not_before end) as due
       from connections where state = 'active' and look_due_at is not null and lease is null`,
  );
  const due = rows[0]?.due;
  return due === null || due === undefined ? null : Number(due);
};

/** Nothing is asked of the account of this connection before then, also after a restart. */
export const silenceAccount = (tx: Db, connection: string, until: number) =>
  run(
    tx,
    `update connections set not_before = $2 where not_before < $2 and (id = $1
       or (provider, account) = (select provider, account from connections where id = $1))`,
    [connection, until],
  );
