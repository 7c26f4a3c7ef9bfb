// Webhooks of connections: found by the hash of a token, heard once for each delivery, and kept by a duty under the lease of
// the connection, so that of several processes one asks the source.
import type { Selectable } from '#kysely';
import type { Reach } from '../../../../core/scope.ts';
import type { NamedLease } from '../../../../lib/async/background/handover.ts';
import { textList } from '../../engine/lists.ts';
import { run } from '../../engine/run.ts';
import type {
  FoundHook,
  HandMadeHook,
  HeardDelivery,
  HeldHooks,
  HooksEnd,
  KeptHook,
  LeasedHooks,
} from '../../ports/connections/hooks.ts';
import type { ScopedWrite } from '../../statements/contexts.ts';
import type { ConnectionHooksTable, ConnectionsTable } from '../../tables/connection-tables.ts';
import type { Db } from '../../tables/tables.ts';
import { connectionRecord, mayChangeConnection, readSecrets } from './connections.ts';

const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;

const keptHook = (row: Selectable<ConnectionHooksTable>): KeptHook => ({
  tokenHash: row.token_hash,
  sealed: row.sealed,
  base: row.base,
  watches: JSON.parse(row.watches),
  byHand: row.by_hand === 1,
  heardAt: row.heard_at,
});

export const findHook = async (db: Db, tokenHash: string): Promise<FoundHook | null> => {
  const row = await db
    .selectFrom('connection_hooks')
    .innerJoin('connections', 'connections.id', 'connection_hooks.connection')
    .select(['connections.id as connection', 'provider', 'ends_at as endsAt'])
    .where('token_hash', '=', tokenHash)
    .where('connections.state', 'in', ['active', 'choosing', 'held'])
    .executeTakeFirst();
  return row ?? null;
};

export const secretOfHook = async (tx: Db, tokenHash: string): Promise<string | null> => {
  const row = await tx
    .selectFrom('connection_hooks')
    .select('sealed')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return row?.sealed ?? null;
};

/** A look that a delivery led to is the only one for a minute: what comes meanwhile is told by the next. */
const LOOK_DUE = `(select case when max(started_at) > $3 then max(started_at) + ${MINUTE_MS} else $2 end
  from sync_runs where sync_runs.connection = connections.id and sync_runs.look = connections.looks
    and trigger_type = 'event')`;

/** A look that is due earlier stays, except for one that is under way: it may have passed what changed. */
const WAKE = `update connections set wanted_by = 'event',
    look_due_at = case when lease is null and look_due_at < ${LOOK_DUE} then look_due_at else ${LOOK_DUE} end
  where state = 'active' and wanted_by is null and (id = $1 or (app is not null and exists (
    select 1 from connection_hooks inner join connections as told on told.id = connection_hooks.connection
      where told.id = $1 and by_hand = 1 and told.app = connections.app and told.provider = connections.provider)))`;

/** False: it was heard before. Hooks that people make are those of an application, so all its connections look. */
export const hearDelivery = async (
  tx: Db,
  { tokenHash, provider, delivery, wakes }: HeardDelivery,
  now: number,
): Promise<boolean> => {
  if (delivery !== null) {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('hook_deliveries')
      .values({ provider, delivery, at: now })
      .onConflict((conflict) => conflict.columns(['provider', 'delivery']).doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n) return false;
  }
  await tx
    .updateTable('connection_hooks')
    .set({ heard_at: now })
    .where('token_hash', '=', tokenHash)
    .where((eb) => eb.or([eb('heard_at', 'is', null), eb('heard_at', '<', now - MINUTE_MS)]))
    .execute();
  if (!wakes) return true;
  const hook = await tx
    .selectFrom('connection_hooks')
    .select('connection')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  if (hook !== undefined) await run(tx, WAKE, [hook.connection, now, now - MINUTE_MS]);
  return true;
};

export const replaceHookSecret = async (
  tx: Db,
  tokenHash: string,
  { sealed, replacement }: { sealed: string; replacement: string },
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('connection_hooks')
    .set({ sealed: replacement })
    .where('token_hash', '=', tokenHash)
    // A write that is repeated after a lost answer finds its own.
    .where('sealed', 'in', [sealed, replacement])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

const insertHook = async (
  { tx, now }: { tx: Db; now: number },
  connection: string,
  { tokenHash, sealed, base }: HandMadeHook,
  byHand: 0 | 1,
): Promise<void> => {
  await tx
    .insertInto('connection_hooks')
    .values({
      ...{ token_hash: tokenHash, connection, sealed, base, watches: '[]', by_hand: byHand },
      ...{ made_at: now, ends_at: null, heard_at: null },
    })
    // A write that is repeated after a lost answer finds its own.
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .execute();
};

export const makeHookByHand = async (
  { tx, reach, now }: ScopedWrite,
  connection: string,
  hook: HandMadeHook,
): Promise<boolean> => {
  if (!(await mayChangeConnection(tx, reach, connection))) return false;
  await tx
    .deleteFrom('connection_hooks')
    .where('connection', '=', connection)
    .where('by_hand', '=', 1)
    .execute();
  await insertHook({ tx, now }, connection, hook, 1);
  return true;
};

export const hookByHand = async (tx: Db, reach: Reach, connection: string): Promise<KeptHook | null> => {
  if (!(await mayChangeConnection(tx, reach, connection))) return null;
  const row = await tx
    .selectFrom('connection_hooks')
    .selectAll()
    .where('connection', '=', connection)
    .where('by_hand', '=', 1)
    .executeTakeFirst();
  return row === undefined ? null : keptHook(row);
};

export const hooksOf = async (tx: Db, connection: string): Promise<KeptHook[]> => {
  const rows = await tx
    .selectFrom('connection_hooks')
    .selectAll()
    .where('connection', '=', connection)
    .orderBy('made_at')
    .execute();
  return rows.map(keptHook);
};

/** After the first sync, and while no look is due: a look has the same lease. A paused connection ends its hooks. */
const DUE_HOOKS = `hooks_due_at <= $1 and not_before <= $1 and (lease is null or lease_until <= $1)
  and (look_due_at is null or look_due_at > $1 or state = 'paused')
  and ((state = 'active' and looks > 0 and failures = 0)
    or (state = 'paused' and exists (
      select 1 from connection_hooks where connection_hooks.connection = connections.id and by_hand = 0)))`;

/** The connection whose hooks are due first; null: there is none. */
export const dueHooks = async (db: Db, now: number): Promise<string | null> => {
  const { rows } = await run<{ id: string }>(
    db,
    `select id from connections where ${DUE_HOOKS} order by hooks_due_at, id limit 1`,
    [now],
  );
  return rows[0]?.id ?? null;
};

/** Null: they are not due any more, or another process has taken the connection. */
export const leaseHooks = async (
  tx: Db,
  connection: string,
  { lease, forMs }: NamedLease,
  now: number,
): Promise<LeasedHooks | null> => {
  // If two processes saw it due, the second one waits here and then finds what the first one made of it.
  const { rows } = await run<Selectable<ConnectionsTable>>(
    tx,
    `update connections set lease = $2, lease_until = $3 where id = $4 and ((${DUE_HOOKS}) or lease = $2) returning *`,
    [now, lease, now + forMs, connection],
  );
  const [row] = rows;
  if (row === undefined) return null;
  return {
    connection: row.id,
    lease,
    dueAt: row.hooks_due_at ?? now,
    record: connectionRecord(row),
    sealed: await readSecrets(tx, row.id),
    hooks: await hooksOf(tx, row.id),
    failures: row.hooks_failures,
  };
};

const holdsHooks = async (
  tx: Db,
  { connection, lease }: Pick<HeldHooks, 'connection' | 'lease'>,
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('connections')
    .set({ lease })
    .where('id', '=', connection)
    .where('lease', '=', lease)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

export const beginHook = async (
  context: { tx: Db; now: number },
  held: HeldHooks,
  hook: HandMadeHook,
): Promise<boolean> => {
  if (!(await holdsHooks(context.tx, held))) return false;
  await insertHook(context, held.connection, hook, 0);
  return true;
};

/** True after an end whose answer was lost: the hooks of a token are stored by one write alone. */
const isEnded = async (tx: Db, made: HooksEnd['made']): Promise<boolean> => {
  if (made === null || made.watches.length === 0) return false;
  const row = await tx
    .selectFrom('connection_hooks')
    .select('token_hash')
    .where('token_hash', '=', made.tokenHash)
    .where('watches', '=', JSON.stringify(made.watches))
    .executeTakeFirst();
  return row !== undefined;
};

export const endHooks = async (
  tx: Db,
  held: HeldHooks,
  { made, ended, dueAt, failed, problem }: HooksEnd,
): Promise<boolean> => {
  if (!(await holdsHooks(tx, held))) return isEnded(tx, made);
  await tx.deleteFrom('connection_hooks').where('token_hash', 'in', textList(ended)).execute();
  if (made !== null)
    await tx
      .updateTable('connection_hooks')
      .set({ watches: JSON.stringify(made.watches), ends_at: made.endsAt })
      .where('token_hash', '=', made.tokenHash)
      .execute();
  // Hooks that came due meanwhile stay due, for example by a resume while a pause ends them.
  await tx
    .updateTable('connections')
    .set((eb) => ({
      ...{ lease: null, hooks_problem: problem },
      hooks_due_at: eb
        .case()
        .when('hooks_due_at', '=', held.dueAt)
        .then(dueAt)
        .else(eb.ref('hooks_due_at'))
        .end(),
      hooks_failures: failed ? eb('hooks_failures', '+', 1) : eb.val(0),
    }))
    .where('id', '=', held.connection)
    .execute();
  return true;
};

/** The source calls the former address, or this server has none any more. */
export const noteHookBase = (tx: Db, base: string | null, now: number) =>
  run(
    tx,
    `update connections set hooks_due_at = $2 where hooks_problem is not null or exists (
       select 1 from connection_hooks
         where connection_hooks.connection = connections.id and by_hand = 0 and base <> $1)`,
    [base ?? '', now],
  );

export const forgetOldHooks = async (tx: Db, now: number): Promise<void> => {
  await tx.deleteFrom('connection_hooks').where('ends_at', '<=', now).execute();
  await tx
    .deleteFrom('hook_deliveries')
    .where('at', '<', now - WEEK_MS)
    .execute();
};
