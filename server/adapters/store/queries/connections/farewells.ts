// The webhooks and the access of a removed connection, until they are ended at its source.
// Its secret moves here, and is erased when that is done or given up.
import { newId } from '../../../../lib/ids.ts';
import type { Farewell } from '../../ports/connections/hooks.ts';
import type { WriteContext } from '../../statements/contexts.ts';
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

/** Undefined: none is due. */
export const dueFarewell = (db: Db, now: number) =>
  db
    .selectFrom('connection_farewells')
    .selectAll()
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
    .executeTakeFirst();

/** The next attempt is due after the lease, whatever becomes of this one. */
export const leaseFarewell = async (tx: Db, forMs: number, now: number): Promise<Farewell | null> => {
  const due = await dueFarewell(tx, now);
  if (due === undefined) return null;
  const lease = newId();
  const { numUpdatedRows } = await tx
    .updateTable('connection_farewells')
    .set({ lease, due_at: now + forMs, attempts: due.attempts + 1 })
    .where('id', '=', due.id)
    .where('due_at', '=', due.due_at)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return null;
  const { id, provider, account, sealed } = due;
  return {
    ...{ id, lease, provider, account, sealed, attempts: due.attempts + 1 },
    metadata: JSON.parse(due.metadata),
    watches: JSON.parse(due.watches),
    revokes: !(await isAccessShared(tx, due)),
  };
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
