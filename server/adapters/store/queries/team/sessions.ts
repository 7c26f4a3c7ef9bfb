// Sessions of signed-in browsers: hashes of cookies, never the cookies.

import type { Selectable } from '#kysely';
import { inOrderOfIds } from '../../../../lib/ids.ts';
import type { NewMail } from '../../ports/team/mails.ts';
import type { SessionRecord } from '../../ports/team/team.ts';
import type { Db } from '../../tables/tables.ts';
import type { SessionsTable } from '../../tables/team-tables.ts';
import { queueIfAny } from './mails.ts';

const sessionRecord = (row: Selectable<SessionsTable>): SessionRecord => ({
  id: row.id,
  hash: row.hash,
  memberId: row.member,
  keyId: row.key,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
  expiresAt: row.expires_at,
  userAgent: row.user_agent,
});

export const sessionByHash = async (db: Db, hash: string): Promise<SessionRecord | null> => {
  const row = await db.selectFrom('sessions').selectAll().where('hash', '=', hash).executeTakeFirst();
  return row === undefined ? null : sessionRecord(row);
};

export const listSessions = async (
  db: Db,
  whose: { memberId: string } | { keyId: string },
): Promise<SessionRecord[]> => {
  const sessions = db.selectFrom('sessions').selectAll();
  const own =
    'memberId' in whose
      ? sessions.where('member', '=', whose.memberId)
      : sessions.where('member', 'is', null).where('key', '=', whose.keyId);
  return (await own.orderBy('last_seen_at', 'desc').orderBy('id').execute()).map(sessionRecord);
};

/** Expired rows are erased when new ones come, so that no job of its own is needed. */
export const createSession = async (
  tx: Db,
  session: SessionRecord,
  mail: NewMail | null,
  now: number,
): Promise<void> => {
  await tx.deleteFrom('sessions').where('expires_at', '<', now).execute();
  await tx
    .insertInto('sessions')
    .values({
      ...{ id: session.id, hash: session.hash, member: session.memberId, key: session.keyId },
      ...{ created_at: session.createdAt, last_seen_at: session.lastSeenAt, expires_at: session.expiresAt },
      user_agent: session.userAgent,
    })
    .execute();
  await queueIfAny(tx, mail, now);
};

export const endSession = async (tx: Db, id: string): Promise<boolean> => {
  const { numDeletedRows } = await tx.deleteFrom('sessions').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
};

export const touchSessions = async (tx: Db, uses: readonly { id: string; at: number }[]): Promise<void> => {
  for (const { id, at } of inOrderOfIds(uses))
    await tx.updateTable('sessions').set({ last_seen_at: at }).where('id', '=', id).execute();
};
