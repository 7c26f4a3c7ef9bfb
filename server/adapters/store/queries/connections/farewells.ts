// The webhooks and the access of a removed connection, until they are ended at its source.
// Its secret moves here, and is erased when that is done or given up.
import type { Selectable } from '#kysely';
import type { NamedLease } from '../../../../lib/async/background/handover.ts';
import { run } from '../../engine/run.ts';
import type { Farewell } from '../../ports/connections/hooks.ts';
import type { WriteContext } from '../../statements/contexts.ts';
import type { ConnectionFarewellsTable } from '../../tables/connection-tables.ts';
import type { Db } from '../../tables/tables.ts';
import { readSecrets, storeSecrets } from './connections.ts';
import { hooksOf } from './hooks.ts';

/** A connection without a sign-in and without hooks has nothing to end. */
export const beginFarewell = async ({ tx, now }: WriteContext, id: string): Promise<void> => {
  const connection = await tx
    .selectFrom('connections')
    .select(['provider', 'account', 'email', 'app', 'metadata'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (connection === undefined) return;
  const watches = (await hooksOf(tx, id)).flatMap((hook) => hook.watches);
  if (connection.app === null && watches.length === 0) return;
  await tx
    .insertInto('connection_farewells')
    .values({
      ...{ id, ...connection, sealed: await readSecrets(tx, id), watches: JSON.stringify(watches) },
      ...{ due_at: now, lease: null },
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
};

/** A source ends the access of an account as a whole, so it lasts while another connection needs it. */
const isAccessShared = async (
  tx: Db,
  { app, account, email }: { app: string | null; account: string | null; email: string | null },
): Promise<boolean> => {
  if (app === null) return true;
  const other = await tx
    .selectFrom('connections')
    .select('id')
    .where('app', '=', app)
    .where('state', '<>', 'removing')
    .where((eb) => eb.or([eb('account', '=', account), eb('email', '=', email)]))
    .executeTakeFirst();
  return other !== undefined;
};

/** The removed connection that is due longest; null: none is due. */
export const dueFarewell = async (db: Db, now: number): Promise<string | null> => {
  const row = await db
    .selectFrom('connection_farewells')
    .select('id')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
    .executeTakeFirst();
  return row?.id ?? null;
};

/** The next attempt is due after the lease, whatever becomes of this one. Null: another process has taken it. */
export const leaseFarewell = async (
  tx: Db,
  id: string,
  { lease, forMs }: NamedLease,
  now: number,
): Promise<Farewell | null> => {
  const { rows } = await run<Selectable<ConnectionFarewellsTable>>(
    tx,
    `update connection_farewells set lease = $2, due_at = $3,
       attempts = case when lease = $2 then attempts else attempts + 1 end
     where id = $4 and (due_at <= $1 or lease = $2) returning *`,
    [now, lease, now + forMs, id],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { provider, account, sealed, attempts } = row;
  return {
    ...{ id, lease, provider, account, sealed, attempts },
    metadata: JSON.parse(row.metadata),
    watches: JSON.parse(row.watches),
    revokes: !(await isAccessShared(tx, row)),
  };
};

/** Frees a farewell whose lease did not reach its worker: the attempt does not count. */
export const giveBackFarewell = async (tx: Db, id: string, lease: string, now: number): Promise<void> => {
  await run(
    tx,
    `update connection_farewells set lease = null, due_at = $3, attempts = attempts - 1 where id = $1 and lease = $2`,
    [id, lease, now],
  );
};

export const endFarewell = async (
  tx: Db,
  { id, lease }: Pick<Farewell, 'id' | 'lease'>,
  dueAt: number | null,
): Promise<void> => {
  if (dueAt === null)
    await tx.deleteFrom('connection_farewells').where('id', '=', id).where('lease', '=', lease).execute();
  else
    await tx
      .updateTable('connection_farewells')
      .set({ due_at: dueAt, lease: null })
      .where('id', '=', id)
      .where('lease', '=', lease)
      .execute();
};

/** A run may renew the tokens of a connection that is being removed: the former ones may not be good any more. */
export const storeRenewedSecrets = async (tx: Db, connection: string, sealed: string): Promise<void> => {
  const living = await tx
    .selectFrom('connections')
    .select('id')
    .where('id', '=', connection)
    .where('state', '<>', 'removing')
    .executeTakeFirst();
  if (living !== undefined) return storeSecrets(tx, connection, sealed);
  await tx.updateTable('connection_farewells').set({ sealed }).where('id', '=', connection).execute();
};
