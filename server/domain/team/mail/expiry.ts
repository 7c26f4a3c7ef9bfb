// Notices of keys that end: seven days and one day before, each threshold once, at most one digest a person and day.
import type { KeyRecord, KeyStore, KeyWithMakers } from '../../../adapters/store/ports/keys.ts';
import type { KeyNotice, MailStore, NoticeMail } from '../../../adapters/store/ports/team/mails.ts';
import type { TeamStore } from '../../../adapters/store/ports/team/team.ts';
import type { Logger } from '../../../core/log.ts';
import type { MemberRecord } from '../../../core/principal.ts';
import { DAY_MS } from '../../../lib/text/dates/calendar.ts';

const SOON_DAYS = 7;
const LAST_DAYS = 1;
const MORNING_HOUR = 8;

export interface ExpiryDeps {
  keys: Pick<KeyStore, 'list'>;
  members: Pick<TeamStore['members'], 'list'>;
  mails: Pick<MailStore, 'notice'>;
  /** False: no mail is set up, so the log is the only place. */
  sends: boolean;
  /** The address that hears of keys where there is no owner or admin. */
  mailTo: string | undefined;
  /** The time zone of dates; that of the machine by default. */
  timezone: string | undefined;
  /** Mails were stored. */
  stored(): void;
  now: () => number;
  log: Pick<Logger, 'info' | 'warn'>;
}

export interface Expiry {
  /** Notes and queues what is due. */
  look(): Promise<void>;
  /** The keys that end within seven days. */
  ending(): Promise<number>;
}

type KeyLife = Pick<KeyRecord, 'createdAt' | 'expiresAt' | 'enabled' | 'replacedBy'>;

/** The threshold that has come for a key; null: none, or nobody has to be told. */
const dueThreshold = ({ createdAt, expiresAt, enabled, replacedBy }: KeyLife, now: number): 1 | 7 | null => {
  if (!enabled || replacedBy !== null || expiresAt === null || expiresAt <= now) return null;
  const lifeDays = (expiresAt - createdAt) / DAY_MS;
  const leftDays = (expiresAt - now) / DAY_MS;
  if (leftDays <= LAST_DAYS) return lifeDays > LAST_DAYS ? LAST_DAYS : null;
  return leftDays <= SOON_DAYS && lifeDays > SOON_DAYS ? SOON_DAYS : null;
};

/** The day and the hour where the people are. */
const localTime = (at: number, timezone: string | undefined): { day: string; hour: number } => {
  const parts = new Intl.DateTimeFormat('en-CA', {
    ...{ timeZone: timezone, hourCycle: 'h23' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit' },
  }).formatToParts(at);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  return { day: `${part('year')}-${part('month')}-${part('day')}`, hour: Number(part('hour')) };
};

interface Recipient {
  to: string;
  name: string;
}

const recipientsOf = (
  { ownerId }: Pick<KeyWithMakers, 'ownerId'>,
  people: readonly MemberRecord[],
  mailTo: string | undefined,
): Recipient[] => {
  const told = people.filter(({ id, role }) => (ownerId === null ? role !== 'member' : id === ownerId));
  if (told.length > 0) return told.map(({ email, name }) => ({ to: email, name }));
  return ownerId === null && mailTo !== undefined ? [{ to: mailTo, name: 'operator' }] : [];
};

const mailsFor = (
  due: readonly { notice: KeyNotice; recipients: readonly Recipient[] }[],
  thresholdDays: number,
): NoticeMail[] => {
  const mails = new Map<string, NoticeMail>();
  for (const { notice, recipients } of due) {
    if (notice.thresholdDays !== thresholdDays) continue;
    for (const { to, name } of recipients)
      mails.set(to, { to, name, notices: [...(mails.get(to)?.notices ?? []), notice] });
  }
  return [...mails.values()];
};

export const createExpiry = (deps: ExpiryDeps): Expiry => {
  const { keys, members, mails, sends, mailTo, timezone, stored, now, log } = deps;
  let loggedOn = '';

  const soon = async (): Promise<KeyRecord[]> => {
    const at = now();
    return (await keys.list()).filter((key) => {
      const { enabled, replacedBy, expiresAt } = key;
      return (
        enabled &&
        replacedBy === null &&
        expiresAt !== null &&
        expiresAt > at &&
        expiresAt <= at + SOON_DAYS * DAY_MS
      );
    });
  };

  async function logOnly(day: string): Promise<void> {
    const ending = await soon();
    if (ending.length === 0 || loggedOn === day) return;
    loggedOn = day;
    log.warn(
      { keys: ending.map(({ id }) => id) },
      `${ending.length === 1 ? '1 key ends' : `${ending.length} keys end`} within 7 days, and no mail is set up, so nobody is told. Set MEMOIR_SMTP_URL, or look into "memoir keys list".`,
    );
  }

  return {
    ending: async () => (await soon()).length,
    async look() {
      const at = now();
      const { day, hour } = localTime(at, timezone);
      if (!sends) return logOnly(day);
      const [all, people] = await Promise.all([keys.list(), members.list()]);
      const due = all.flatMap((key) => {
        const thresholdDays = dueThreshold(key, at);
        if (thresholdDays === null || key.expiresAt === null) return [];
        const notice = { keyId: key.id, thresholdDays, expiresAt: key.expiresAt };
        return [{ notice, recipients: recipientsOf(key, people, mailTo) }];
      });
      const last = mailsFor(due, LAST_DAYS);
      const digest = mailsFor(due, SOON_DAYS);
      const told = last.length === 0 ? 0 : await mails.notice(last, null);
      const toldSoon = digest.length === 0 || hour < MORNING_HOUR ? 0 : await mails.notice(digest, day);
      if (told + toldSoon === 0) return;
      log.info({ mails: told + toldSoon }, 'Notices of keys that end are on their way.');
      stored();
    },
  };
};
