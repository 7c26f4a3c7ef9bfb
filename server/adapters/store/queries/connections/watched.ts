// The state of the webhooks of a connection, for people.
import { textList } from '../../engine/lists.ts';
import type { ConnectionWatch } from '../../ports/connections/connections.ts';
import type { Db } from '../../tables/tables.ts';

/** The watches of each connection that has hooks. */
export const watchesOf = async (
  db: Db,
  connections: readonly string[],
): Promise<ReadonlyMap<string, Omit<ConnectionWatch, 'problem'>>> => {
  const rows = await db
    .selectFrom('connection_hooks')
    .select(['connection', 'ends_at', 'heard_at'])
    .where('connection', 'in', textList(connections))
    // One that the source has not made yet.
    .where((eb) => eb.or([eb('by_hand', '=', 1), eb('watches', '<>', '[]')]))
    .orderBy('made_at')
    .execute();
  const watches = new Map<string, Omit<ConnectionWatch, 'problem'>>();
  for (const { connection, ends_at: endsAt, heard_at: heardAt } of rows) {
    const former = watches.get(connection);
    watches.set(connection, { made: true, endsAt, heardAt: heardAt ?? former?.heardAt ?? null });
  }
  return watches;
};
