// API keys: their hashes, never their texts.

import type { Selectable } from '#kysely';
import { inOrderOfIds } from '../../../../lib/ids.ts';
import { run } from '../../engine/run.ts';
import type { KeyChanges, KeyRecord, KeyReplacement, KeyWithMakers } from '../../ports/keys.ts';
import type { KeysTable } from '../../tables/access-tables.ts';
import type { Db } from '../../tables/tables.ts';
import { memberBy } from '../team/members.ts';
import { changeQuotas, passQuotasOn } from '../usage/quotas.ts';

const keyRecord = (row: Selectable<KeysTable>): KeyRecord => ({
  id: row.id,
  hash: row.hash,
  start: row.start,
  name: row.name,
  permission: row.permission,
  tags: row.tags === null ? null : JSON.parse(row.tags),
  enabled: row.enabled === 1,
  expiresAt: row.expires_at,
  rateLimitMax: row.rate_max,
  rateLimitWindowMs: row.rate_window_ms,
  pluginId: row.plugin,
  madeBy: row.made_by,
  ownerId: row.owner,
  role: row.role,
  replacedBy: row.replaced_by,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
});

/** `union` ends even if a damaged database held a circle. */
const withMakers = (found: string): string => `
  with recursive line (id) as (
    select id from keys where ${found}
    union select keys.made_by from line join keys on keys.id = line.id where keys.made_by is not null
  )
  select keys.* from line join keys on keys.id = line.id`;

const WITH_MAKERS = { id: withMakers('id = $1'), hash: withMakers('hash = $1') } as const;

export const keyBy = async (db: Db, column: 'id' | 'hash', value: string): Promise<KeyWithMakers | null> => {
  const { rows } = await run<Selectable<KeysTable>>(db, WITH_MAKERS[column], [value]);
  const records = rows.map(keyRecord);
  const key = records.find((record) => record[column] === value);
  if (key === undefined) return null;
  const owner = key.ownerId === null ? null : await memberBy(db, 'id', key.ownerId);
  return { ...key, makers: records.filter((record) => record !== key), owner };
};

export const listKeys = async (db: Db): Promise<KeyRecord[]> =>
  (await db.selectFrom('keys').selectAll().orderBy('created_at').orderBy('id').execute()).map(keyRecord);

export const createKey = async (tx: Db, key: KeyRecord): Promise<void> => {
  await tx
    .insertInto('keys')
    .values({
      id: key.id,
      hash: key.hash,
      start: key.start,
      name: key.name,
      permission: key.permission,
      tags: key.tags === null ? null : JSON.stringify(key.tags),
      enabled: key.enabled ? 1 : 0,
      expires_at: key.expiresAt,
      rate_max: key.rateLimitMax,
      rate_window_ms: key.rateLimitWindowMs,
      plugin: key.pluginId,
      made_by: key.madeBy,
      owner: key.ownerId,
      role: key.role,
      replaced_by: key.replacedBy,
      created_at: key.createdAt,
      last_used_at: key.lastUsedAt,
    })
    .execute();
};

/** False: there is a key already, or one with the same secret where `given` says that it was chosen. */
export const createFirstKey = async (tx: Db, key: KeyRecord, given: boolean): Promise<boolean> => {
  const keys = tx.selectFrom('keys').select('id').limit(1);
  const existing = await (given ? keys.where('hash', '=', key.hash) : keys).executeTakeFirst();
  if (existing !== undefined) return false;
  await createKey(tx, key);
  return true;
};

export const enableKey = async (tx: Db, id: string, enabled: boolean): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('keys')
    .set({ enabled: enabled ? 1 : 0 })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

export const changeKey = async (tx: Db, id: string, changes: KeyChanges): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('keys')
    .set({
      name: changes.name,
      permission: changes.permission,
      tags: changes.tags === null ? null : JSON.stringify(changes.tags),
      expires_at: changes.expiresAt,
      rate_max: changes.rateLimitMax,
      rate_window_ms: changes.rateLimitWindowMs,
      role: changes.role,
    })
    .where('id', '=', id)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  return changes.quotas === undefined || changeQuotas(tx, { of: 'key', id, quotas: changes.quotas });
};

export const replaceKey = async (tx: Db, { former, endsAt, key }: KeyReplacement): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('keys')
    .set({ expires_at: endsAt, replaced_by: key.id })
    .where('id', '=', former)
    .where('enabled', '=', 1)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await createKey(tx, key);
  await tx
    .updateTable('keys')
    .set({ made_by: key.id })
    .where('made_by', '=', former)
    .where('id', '<>', key.id)
    .execute();
  await tx.updateTable('grants').set({ key: key.id }).where('key', '=', former).execute();
  await passQuotasOn(tx, former, key.id);
  return true;
};

export const touchKeys = async (tx: Db, uses: readonly { id: string; at: number }[]): Promise<void> => {
  for (const { id, at } of inOrderOfIds(uses))
    await tx.updateTable('keys').set({ last_used_at: at }).where('id', '=', id).execute();
};
