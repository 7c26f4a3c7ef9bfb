// Sign-ins of connections under way.
import { WHOLE_REACH } from '../../../../core/scope.ts';
import type { NewSignIn, TakenSignIn } from '../../ports/connections/sign-ins.ts';
import type { Db } from '../../tables/tables.ts';
import { getConnection } from './connections.ts';

/** The states of a connection that are kept; a link that was asked for before stays good. */
const KEPT_MS = 7 * 24 * 60 * 60_000;

export const beginSignIn = async (tx: Db, signIn: NewSignIn, now: number): Promise<void> => {
  await tx
    .deleteFrom('connection_states')
    .where('ends_at', '<', now - KEPT_MS)
    .execute();
  const { hash, connection, sealed, redirectUrl, endsAt } = signIn;
  await tx
    .insertInto('connection_states')
    .values({ hash, connection, sealed, redirect_url: redirectUrl, ends_at: endsAt, used_at: null })
    .execute();
};

export const takeSignIn = async (
  tx: Db,
  { hash, provider }: { hash: string; provider: string },
  now: number,
): Promise<TakenSignIn | null> => {
  const row = await tx
    .selectFrom('connection_states')
    .selectAll()
    .where('hash', '=', hash)
    .executeTakeFirst();
  const connection = row === undefined ? null : await getConnection(tx, WHOLE_REACH, row.connection);
  if (row === undefined || connection === null || connection.provider !== provider) return null;
  const found = { connection, sealed: row.sealed, redirectUrl: row.redirect_url };
  if (row.used_at !== null) return { outcome: 'used', ...found };
  if (row.ends_at <= now) return { outcome: 'expired', ...found };
  // If two browsers come at once, the second one waits here and then finds it used.
  const { numUpdatedRows } = await tx
    .updateTable('connection_states')
    .set({ used_at: now })
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return { outcome: numUpdatedRows > 0n ? 'open' : 'used', ...found };
};
