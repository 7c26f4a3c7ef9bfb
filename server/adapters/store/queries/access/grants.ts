// Grants of programs, and the tokens of the authorization server.

import type { Selectable } from '#kysely';
import { inOrderOfIds } from '../../../../lib/ids.ts';
import type { GrantRecord, TokenRecord } from '../../ports/grants.ts';
import type { GrantsTable, OauthTokensTable } from '../../tables/access-tables.ts';
import type { Db } from '../../tables/tables.ts';

const grantRecord = (row: Selectable<GrantsTable>): GrantRecord => ({
  id: row.id,
  keyId: row.key,
  clientId: row.client,
  clientName: row.client_name,
  redirectHost: row.redirect_host,
  permission: row.permission,
  tags: row.tags === null ? null : JSON.parse(row.tags),
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
});

const tokenRecord = (row: Selectable<OauthTokensTable>): TokenRecord => ({
  kind: row.kind,
  hash: row.hash,
  grantId: row.grant_id,
  uid: row.uid,
  payload: JSON.parse(row.payload),
  consumedAt: row.consumed_at,
  expiresAt: row.expires_at,
});

export const listGrants = async (db: Db): Promise<GrantRecord[]> =>
  (await db.selectFrom('grants').selectAll().orderBy('created_at').orderBy('id').execute()).map(grantRecord);

export const grantById = async (db: Db, id: string): Promise<GrantRecord | null> => {
  const row = await db.selectFrom('grants').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? grantRecord(row) : null;
};

export const createGrant = async (tx: Db, grant: GrantRecord): Promise<void> => {
  await tx
    .insertInto('grants')
    .values({
      id: grant.id,
      key: grant.keyId,
      client: grant.clientId,
      client_name: grant.clientName,
      redirect_host: grant.redirectHost,
      permission: grant.permission,
      tags: grant.tags === null ? null : JSON.stringify(grant.tags),
      created_at: grant.createdAt,
      expires_at: grant.expiresAt,
      last_used_at: grant.lastUsedAt,
    })
    .execute();
};

export const revokeGrant = async (tx: Db, id: string): Promise<boolean> => {
  await tx.deleteFrom('oauth_tokens').where('grant_id', '=', id).execute();
  const { numDeletedRows } = await tx.deleteFrom('grants').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
};

export const touchGrants = async (tx: Db, uses: readonly { id: string; at: number }[]): Promise<void> => {
  for (const { id, at } of inOrderOfIds(uses))
    await tx.updateTable('grants').set({ last_used_at: at }).where('id', '=', id).execute();
};

// --- tokens ----------------------------------------------------------------------------------------

export const tokenBy = async (
  db: Db,
  kind: string,
  column: 'hash' | 'uid',
  value: string,
): Promise<TokenRecord | null> => {
  const row = await db
    .selectFrom('oauth_tokens')
    .selectAll()
    .where('kind', '=', kind)
    .where(column, '=', value)
    .executeTakeFirst();
  return row ? tokenRecord(row) : null;
};

const ENDED_AT_ONCE = 50;

/** Expired rows are erased when new ones come, so that no job of its own is needed. */
const eraseExpired = async (tx: Db, now: number): Promise<void> => {
  const ended = await tx
    .selectFrom('oauth_tokens')
    .select(['kind', 'hash'])
    .where('expires_at', '<', now)
    .limit(ENDED_AT_ONCE)
    .execute();
  for (const { kind, hash } of ended) await dropToken(tx, kind, hash);
  await tx.deleteFrom('grants').where('expires_at', '<', now).execute();
};

export const keepToken = async (
  tx: Db,
  token: Omit<TokenRecord, 'consumedAt'>,
  now: number,
): Promise<void> => {
  await eraseExpired(tx, now);
  await dropToken(tx, token.kind, token.hash);
  await tx
    .insertInto('oauth_tokens')
    .values({
      kind: token.kind,
      hash: token.hash,
      grant_id: token.grantId,
      uid: token.uid,
      payload: JSON.stringify(token.payload),
      consumed_at: null,
      expires_at: token.expiresAt,
    })
    .execute();
};

export const consumeToken = async (tx: Db, kind: string, hash: string, now: number): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('oauth_tokens')
    .set({ consumed_at: now })
    .where('kind', '=', kind)
    .where('hash', '=', hash)
    .where('consumed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

export const dropToken = async (tx: Db, kind: string, hash: string): Promise<void> => {
  await tx.deleteFrom('oauth_tokens').where('kind', '=', kind).where('hash', '=', hash).execute();
};

export const dropTokensOfGrant = async (tx: Db, kind: string, grantId: string): Promise<void> => {
  await tx.deleteFrom('oauth_tokens').where('grant_id', '=', grantId).where('kind', '=', kind).execute();
};
