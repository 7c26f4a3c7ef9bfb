// Sealed secrets: those of connections in their order, and the replacement of one that nobody changed meanwhile.
import type { SealedSecret } from '../../ports/secrets.ts';
import type { Db } from '../../tables/tables.ts';

export const secretsOfConnections = async (db: Db, after: string, limit: number): Promise<SealedSecret[]> => {
  const rows = await db
    .selectFrom('connection_secrets')
    .select(['connection', 'sealed'])
    .where('connection', '>', after)
    .orderBy('connection')
    .limit(limit)
    .execute();
  return rows.map(({ connection, sealed }) => ({ of: 'connection', id: connection, sealed }));
};

export const replaceSecret = async (
  tx: Db,
  { of, id, sealed }: SealedSecret,
  replacement: string,
): Promise<boolean> => {
  const { numUpdatedRows } =
    of === 'connection'
      ? await tx
          .updateTable('connection_secrets')
          .set({ sealed: replacement })
          .where('connection', '=', id)
          .where('sealed', '=', sealed)
          .executeTakeFirst()
      : await tx
          .updateTable('settings')
          .set({ value: JSON.stringify(replacement) })
          .where('key', '=', id)
          .where('value', '=', JSON.stringify(sealed))
          .executeTakeFirst();
  return numUpdatedRows > 0n;
};
