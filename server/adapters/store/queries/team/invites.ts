// Invitations: one pending for each address. Only the hash of the token is stored.
import { type Selectable, sql } from '#kysely';
import type { MemberRecord } from '../../../../core/principal.ts';
import type { NewMail } from '../../ports/team/mails.ts';
import type { InviteAccepted, InviteCreated, InviteRecord, InviteToken } from '../../ports/team/team.ts';
import type { Db } from '../../tables/tables.ts';
import type { InvitesTable } from '../../tables/team-tables.ts';
import { queueIfAny } from './mails.ts';
import { createMember, memberBy, tagsText } from './members.ts';

const MOST_PENDING = 100;
const LISTED = 500;

const inviteRecord = (row: Selectable<InvitesTable>): InviteRecord => ({
  id: row.id,
  email: row.email,
  role: row.role,
  tags: row.tags === null ? null : JSON.parse(row.tags),
  tokenHash: row.token_hash,
  inviterId: row.inviter,
  inviterName: row.inviter_name,
  invitedAt: row.invited_at,
  expiresAt: row.expires_at,
  status: row.status,
  acceptedAt: row.accepted_at,
  mailed: row.mailed === 1,
});

const inviteRow = (invite: InviteRecord): Selectable<InvitesTable> => ({
  id: invite.id,
  email: invite.email,
  role: invite.role,
  tags: tagsText(invite.tags),
  token_hash: invite.tokenHash,
  inviter: invite.inviterId,
  inviter_name: invite.inviterName,
  invited_at: invite.invitedAt,
  expires_at: invite.expiresAt,
  status: invite.status,
  accepted_at: invite.acceptedAt,
  mailed: invite.mailed ? 1 : 0,
});

export const listInvites = async (db: Db): Promise<InviteRecord[]> =>
  (
    await db
      .selectFrom('invites')
      .selectAll()
      .orderBy('invited_at', 'desc')
      .orderBy('id')
      .limit(LISTED)
      .execute()
  ).map(inviteRecord);

export const inviteBy = async (
  db: Db,
  column: 'id' | 'token_hash',
  value: string,
): Promise<InviteRecord | null> => {
  const row = await db.selectFrom('invites').selectAll().where(column, '=', value).executeTakeFirst();
  return row === undefined ? null : inviteRecord(row);
};

export const createInvite = async (
  tx: Db,
  invite: InviteRecord,
  mail: NewMail | null,
  now: number,
): Promise<InviteCreated> => {
  if ((await memberBy(tx, 'email', invite.email)) !== null) return { outcome: 'member' };
  const pending = await tx
    .selectFrom('invites')
    .selectAll()
    .where('status', '=', sql.lit('pending'))
    .execute();
  const former = pending.find(({ email }) => email === invite.email);
  const live = pending.filter(({ expires_at }) => expires_at > now);
  if (former === undefined && live.length >= MOST_PENDING) return { outcome: 'tooMany' };
  // A renewed invitation keeps its id: lists and links to it stay right.
  const stored = { ...invite, id: former?.id ?? invite.id };
  if (former !== undefined) await tx.deleteFrom('invites').where('id', '=', former.id).execute();
  await tx.insertInto('invites').values(inviteRow(stored)).execute();
  await queueIfAny(tx, mail, now);
  return { outcome: 'created', invite: stored, renewed: former !== undefined };
};

export const renewInvite = async (
  tx: Db,
  id: string,
  { token, mail }: { token: InviteToken; mail: NewMail | null },
  now: number,
): Promise<InviteRecord | null> => {
  const { numUpdatedRows } = await tx
    .updateTable('invites')
    .set({ token_hash: token.tokenHash, expires_at: token.expiresAt, mailed: token.mailed ? 1 : 0 })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return null;
  await queueIfAny(tx, mail, now);
  return inviteBy(tx, 'id', id);
};

const endPending = async (
  tx: Db,
  column: 'id' | 'token_hash',
  value: string,
  end: Pick<Selectable<InvitesTable>, 'status' | 'accepted_at'>,
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('invites')
    .set(end)
    .where(column, '=', value)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

export const cancelInvite = (tx: Db, id: string): Promise<boolean> =>
  endPending(tx, 'id', id, { status: 'canceled', accepted_at: null });

export const rejectInvite = (tx: Db, tokenHash: string): Promise<boolean> =>
  endPending(tx, 'token_hash', tokenHash, { status: 'rejected', accepted_at: null });

export const acceptInvite = async (
  tx: Db,
  tokenHash: string,
  member: Pick<MemberRecord, 'id' | 'name'>,
  now: number,
): Promise<InviteAccepted> => {
  const invite = await inviteBy(tx, 'token_hash', tokenHash);
  if (invite === null) return { outcome: 'missing' };
  if (invite.status === 'pending' && invite.expiresAt <= now) return { outcome: 'expired' };
  // If two answers come at once, the second one waits here and then finds the first.
  if (!(await endPending(tx, 'token_hash', tokenHash, { status: 'accepted', accepted_at: now })))
    return { outcome: 'ended' };
  const { email, role, tags, mailed } = invite;
  const joined: MemberRecord = {
    ...{ ...member, email, role, tags, emailVerified: mailed, createdAt: now, lastSeenAt: now },
  };
  return (await createMember(tx, joined)) ? { outcome: 'accepted', member: joined } : { outcome: 'member' };
};
