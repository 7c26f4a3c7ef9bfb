// Sealed secrets: those of connections in their order, and the replacement of one that nobody changed meanwhile.
import { run } from '../../engine/run.ts';
import type { ConnectionSecret, ListedSecret } from '../../ports/secrets.ts';
import type { Db } from '../../tables/tables.ts';

const PLACES: Readonly<Record<ConnectionSecret, { table: string; id: string }>> = {
  connection: { table: 'connection_secrets', id: 'connection' },
  hook: { table: 'connection_hooks', id: 'token_hash' },
  farewell: { table: 'connection_farewells', id: 'id' },
};

export const secretsOfConnections = async (
  db: Db,
  of: ConnectionSecret,
  { after, limit }: { after: string; limit: number },
): Promise<ListedSecret[]> => {
  const { table, id } = PLACES[of];
  const { rows } = await run<{ id: string; sealed: string }>(
    db,
    `select ${id} as id, sealed from ${table} where ${id} > $1 and sealed is not null order by ${id} limit 0 + $2`,
    [after, limit],
  );
  return rows.map((row) => ({ of, ...row }));
};

export const replaceSecret = async (
  tx: Db,
  { of, id, sealed }: ListedSecret,
  replacement: string,
): Promise<boolean> => {
  if (of !== 'setting') {
    const place = PLACES[of];
    const replaced = await run<{ id: string }>(
      tx,
      `update ${place.table} set sealed = $3 where ${place.id} = $1 and sealed = $2 returning ${place.id} as id`,
      [id, sealed, replacement],
    );
    return replaced.rows.length > 0;
  }
  const { numUpdatedRows } = await tx
    .updateTable('settings')
    .set({ value: JSON.stringify(replacement) })
    .where('key', '=', id)
    .where('value', '=', JSON.stringify(sealed))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};
