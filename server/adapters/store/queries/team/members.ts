// Members of the organisation. What ends with a member ends in the transaction that removes it.

import type { Selectable } from '#kysely';
import type { MemberRecord, TagAccess, TeamRole } from '../../../../core/principal.ts';
import { inOrderOfIds } from '../../../../lib/ids.ts';
import { textList } from '../../engine/lists.ts';
import type { MemberRemoved } from '../../ports/team/team.ts';
import type { Db } from '../../tables/tables.ts';
import type { MembersTable } from '../../tables/team-tables.ts';

const memberRecord = (row: Selectable<MembersTable>): MemberRecord => ({
  id: row.id,
  email: row.email,
  emailVerified: row.email_verified === 1,
  name: row.name,
  role: row.role,
  tags: row.tags === null ? null : JSON.parse(row.tags),
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
});

export const tagsText = (tags: readonly TagAccess[] | null): string | null =>
  tags === null ? null : JSON.stringify(tags);

export const listMembers = async (db: Db): Promise<MemberRecord[]> =>
  (await db.selectFrom('members').selectAll().orderBy('created_at').orderBy('id').execute()).map(
    memberRecord,
  );

export const memberBy = async (
  db: Db,
  column: 'id' | 'email',
  value: string,
): Promise<MemberRecord | null> => {
  const row = await db.selectFrom('members').selectAll().where(column, '=', value).executeTakeFirst();
  return row === undefined ? null : memberRecord(row);
};

/** False: the address belongs to a member already. */
export const createMember = async (tx: Db, member: MemberRecord): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('members')
    .values({
      ...{ id: member.id, email: member.email, email_verified: member.emailVerified ? 1 : 0 },
      ...{ name: member.name, role: member.role, tags: tagsText(member.tags) },
      ...{ created_at: member.createdAt, last_seen_at: member.lastSeenAt },
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
};

/** Locks all owners, so that two calls at once cannot remove the last two of them. */
const isLastOwner = async (tx: Db, id: string): Promise<boolean> => {
  await tx.updateTable('members').set({ role: 'owner' }).where('role', '=', 'owner').execute();
  const owners = await tx.selectFrom('members').select('id').where('role', '=', 'owner').execute();
  return owners.length === 1 && owners[0]?.id === id;
};

/** The keys of the member, and those that they made. */
const endKeys = async (tx: Db, member: string): Promise<{ keys: number; grants: number }> => {
  const own = await tx.selectFrom('keys').select('id').where('owner', '=', member).execute();
  const ids = textList(own.map(({ id }) => id));
  const { numUpdatedRows } = await tx
    .updateTable('keys')
    .set({ enabled: 0 })
    .where('owner', '=', member)
    .where('enabled', '=', 1)
    .executeTakeFirst();
  const grants = await tx.selectFrom('grants').select('id').where('key', 'in', ids).execute();
  const given = textList(grants.map(({ id }) => id));
  await tx.deleteFrom('oauth_tokens').where('grant_id', 'in', given).execute();
  await tx.deleteFrom('grants').where('id', 'in', given).execute();
  return { keys: Number(numUpdatedRows), grants: grants.length };
};

export const removeMember = async (tx: Db, id: string): Promise<MemberRemoved> => {
  if (await isLastOwner(tx, id)) return { outcome: 'lastOwner' };
  const { numDeletedRows } = await tx.deleteFrom('members').where('id', '=', id).executeTakeFirst();
  if (numDeletedRows === 0n) return { outcome: 'missing' };
  const sessions = await tx.deleteFrom('sessions').where('member', '=', id).executeTakeFirst();
  return { outcome: 'removed', sessions: Number(sessions.numDeletedRows), ...(await endKeys(tx, id)) };
};

export const setMemberRole = async (
  tx: Db,
  id: string,
  role: TeamRole,
): Promise<'changed' | 'missing' | 'lastOwner'> => {
  if (role !== 'owner' && (await isLastOwner(tx, id))) return 'lastOwner';
  const { numUpdatedRows } = await tx
    .updateTable('members')
    .set({ role, ...(role === 'member' ? {} : { tags: null }) })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n ? 'changed' : 'missing';
};

export const setMemberAccess = async (
  tx: Db,
  id: string,
  tags: readonly TagAccess[] | null,
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('members')
    .set({ tags: tagsText(tags) })
    .where('id', '=', id)
    .where('role', '=', 'member')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

export const verifyMember = async (tx: Db, id: string): Promise<void> => {
  await tx.updateTable('members').set({ email_verified: 1 }).where('id', '=', id).execute();
};

export const touchMembers = async (tx: Db, uses: readonly { id: string; at: number }[]): Promise<void> => {
  for (const { id, at } of inOrderOfIds(uses))
    await tx.updateTable('members').set({ last_seen_at: at }).where('id', '=', id).execute();
};
