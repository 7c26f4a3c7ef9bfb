// The outbox: mails wait here from the transaction of what they tell until they are sent.
import type { Selectable } from '#kysely';
import type { NamedLease } from '../../../../lib/async/background/handover.ts';
import { newId } from '../../../../lib/ids.ts';
import { run } from '../../engine/run.ts';
import type {
  ClaimedMail,
  KeyNotice,
  MailCounts,
  MailEnd,
  NewMail,
  NoticeMail,
} from '../../ports/team/mails.ts';
import { noteOnce } from '../../statements/note-once.ts';
import type { Db } from '../../tables/tables.ts';
import type { MailsTable } from '../../tables/team-tables.ts';

export const queueMail = async (tx: Db, mail: NewMail, now: number): Promise<void> => {
  await tx
    .insertInto('mails')
    .values({
      ...{ id: mail.id, kind: mail.kind, recipient: mail.to, state: 'queued', attempts: 0 },
      ...{ next_at: now, created_at: now, ended_at: null, error: null, lease: null, lease_until: 0 },
    })
    .execute();
  await tx
    .insertInto('mail_contents')
    .values({ mail: mail.id, content: JSON.stringify(mail.content) })
    .execute();
};

export const queueIfAny = async (tx: Db, mail: NewMail | null, now: number): Promise<void> => {
  if (mail !== null) await queueMail(tx, mail, now);
};

export const countMails = async (db: Db): Promise<MailCounts> => {
  const { rows } = await run<MailCounts>(
    db,
    `select (select count(*) from mails where state = 'queued') as queued,
      (select count(*) from mails where state = 'queued' and attempts > 0) as retried,
      (select count(*) from mails where state = 'failed') as failed,
      (select error from mails where error is not null and state in ('queued', 'failed')
        order by created_at desc limit 1) as error`,
  );
  return rows[0] ?? { queued: 0, retried: 0, failed: 0, error: null };
};

const DUE_MAIL = 'next_at <= $1 and lease_until <= $1';

/** The mail that is due longest; null: none is due. */
export const dueMail = async (db: Db, now: number): Promise<string | null> => {
  const { rows } = await run<{ id: string }>(
    db,
    `select id from mails where state = 'queued' and ${DUE_MAIL} order by next_at, id limit 1`,
    [now],
  );
  return rows[0]?.id ?? null;
};

/** Null: another process has taken it. */
export const claimMail = async (
  tx: Db,
  id: string,
  { lease, forMs }: NamedLease,
  now: number,
): Promise<ClaimedMail | null> => {
  // If two processes saw it due, the second one waits here and then finds what the first one made of it.
  const { rows } = await run<Selectable<MailsTable>>(
    tx,
    `update mails set lease = $2, lease_until = $3, attempts = case when lease = $2 then attempts else attempts + 1 end
     where id = $4 and state = 'queued' and ((${DUE_MAIL}) or lease = $2) returning *`,
    [now, lease, now + forMs, id],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const held = await tx
    .selectFrom('mail_contents')
    .select('content')
    .where('mail', '=', id)
    .executeTakeFirst();
  return {
    ...{ id, kind: row.kind, to: row.recipient, createdAt: row.created_at },
    content: held === undefined ? {} : JSON.parse(held.content),
    ...{ attempts: row.attempts, lease },
  };
};

/** Frees a mail whose lease did not reach its worker: the attempt does not count. */
export const giveBackMail = async (tx: Db, id: string, lease: string): Promise<void> => {
  // This statement waits for the row, because the write of the lost lease may still be ending.
  await run(
    tx,
    `update mails set lease = case when lease = $2 then null else lease end,
       lease_until = case when lease = $2 then 0 else lease_until end,
       attempts = case when lease = $2 then attempts - 1 else attempts end where id = $1`,
    [id, lease],
  );
};

/** The text of a mail is erased with its end. */
export const endMail = async (
  tx: Db,
  { id, lease }: Pick<ClaimedMail, 'id' | 'lease'>,
  end: MailEnd,
  now: number,
): Promise<void> => {
  const ended = end.state !== 'queued';
  const { numUpdatedRows } = await tx
    .updateTable('mails')
    .set({
      state: end.state,
      ended_at: ended ? now : null,
      error: 'error' in end ? end.error : null,
      ...(end.state === 'queued' ? { next_at: end.nextAt } : {}),
      ...{ lease: null, lease_until: 0 },
    })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .executeTakeFirst();
  if (ended && numUpdatedRows > 0n) await tx.deleteFrom('mail_contents').where('mail', '=', id).execute();
};

const MAIL_KEPT_MS = 30 * 86_400_000;

const forgetOldMails = async (tx: Db, now: number): Promise<void> => {
  await tx
    .deleteFrom('mails')
    .where('state', '<>', 'queued')
    .where('ended_at', '<', now - MAIL_KEPT_MS)
    .execute();
};

// --- notices of keys that end ----------------------------------------------------------------------

export const lastNotices = async (db: Db): Promise<Map<string, number>> => {
  const { rows } = await run<{ key: string; at: number }>(
    db,
    'select key, max(told_at) as at from key_notices group by key',
  );
  return new Map(rows.map(({ key, at }) => [key, at]));
};

/** False: the digest of the day was made. */
const beginDigest = (tx: Db, day: string): Promise<boolean> =>
  noteOnce(tx, { key: 'expiryDigest', value: day, former: '' });

const nameOf = ({ keyId, thresholdDays, expiresAt }: KeyNotice): string =>
  JSON.stringify([keyId, thresholdDays, expiresAt]);

/** The names of the notices that nobody has noted before. */
const noteFresh = async (tx: Db, notices: readonly KeyNotice[], now: number): Promise<Set<string>> => {
  const fresh = new Set<string>();
  for (const notice of notices) {
    const { keyId, thresholdDays, expiresAt } = notice;
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('key_notices')
      .values({ key: keyId, threshold_days: thresholdDays, expires_at: expiresAt, told_at: now })
      .onConflict((conflict) => conflict.columns(['key', 'threshold_days', 'expires_at']).doNothing())
      .executeTakeFirst();
    if ((numInsertedOrUpdatedRows ?? 0n) > 0n) fresh.add(nameOf(notice));
  }
  return fresh;
};

export const noticeKeys = async (
  tx: Db,
  mails: readonly NoticeMail[],
  day: string | null,
  now: number,
): Promise<number> => {
  await forgetOldMails(tx, now);
  if (day !== null && !(await beginDigest(tx, day))) return 0;
  // One order in every process, so that two of them never wait for each other.
  const all = new Map(
    mails.flatMap(({ notices }) => notices.map((notice) => [nameOf(notice), notice] as const)),
  );
  const ordered = [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, notice]) => notice);
  const fresh = await noteFresh(tx, ordered, now);
  let queued = 0;
  for (const { to, name, notices } of mails) {
    const told = notices.filter((notice) => fresh.has(nameOf(notice)));
    if (told.length === 0) continue;
    queued += 1;
    await queueMail(tx, { id: newId(), kind: 'expiry', to, content: { name, notices: told } }, now);
  }
  return queued;
};
