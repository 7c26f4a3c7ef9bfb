// Mail as a whole: the outbox, its sender, the notices of keys that end, and the state for the health.
import type { TestMailOutput } from '../../../../tools/settings/schemas/test-mail.ts';
import type { MailTransport } from '../../../adapters/mail/port.ts';
import type { KeyStore } from '../../../adapters/store/ports/keys.ts';
import type { ClaimedMail, KeyNotice, MailStore, NewMail } from '../../../adapters/store/ports/team/mails.ts';
import type { TeamStore } from '../../../adapters/store/ports/team/team.ts';
import { badRequest, conflict } from '../../../core/errors.ts';
import type { PartHealth } from '../../../core/health.ts';
import type { Logger } from '../../../core/log.ts';
import type { Principal } from '../../../core/principal.ts';
import { messageOf } from '../../../lib/failures.ts';
import { newId } from '../../../lib/ids.ts';
import type { Outbox } from '../context.ts';
import { createExpiry, type ExpiryDeps } from './expiry.ts';
import { createMailSender, type EndedAs, type MailSender } from './sender.ts';
import { type EndingKey, type MailContents, type MailText, writeMail } from './templates.ts';

const HOUR_MS = 3_600_000;

export interface MailOffice extends Outbox {
  /** Sends a mail at once, and tells what the mail server said. */
  test(caller: Principal, to: string | undefined): Promise<TestMailOutput>;
  /** Begins to look for keys that end; what was queued before is sent. */
  start(): void;
  /** Sends what is due. */
  run(): Promise<void>;
  /** Looks for keys that end. */
  look(): Promise<void>;
  health(): Promise<PartHealth>;
  /** The mails that this process has ended since its start, by how; none without mail. */
  ended(): Readonly<Partial<Record<EndedAs, number>>>;
  close(): Promise<void>;
}

export interface MailOfficeDeps extends Pick<ExpiryDeps, 'mailTo' | 'timezone'> {
  keys: Pick<KeyStore, 'list' | 'byId'>;
  members: Pick<TeamStore['members'], 'list' | 'byId'>;
  mails: MailStore;
  /** Null: no mail is set up. */
  transport: MailTransport | null;
  base(): string;
  now: () => number;
  log: Pick<Logger, 'info' | 'warn'>;
}

const NOT_SET_UP =
  'No mail is set up. Set MEMOIR_SMTP_URL, MEMOIR_MAIL_FROM and MEMOIR_BASE_URL, and start the server again.';

const noAddress = () =>
  badRequest('Invalid request: to: a key has no address of its own, so name the address that gets the mail');

/** The keys of the notices that still end then: others may have been rotated or disabled since. */
const stillEnding = async (
  { keys }: Pick<MailOfficeDeps, 'keys'>,
  notices: readonly KeyNotice[],
): Promise<EndingKey[]> => {
  const found = await Promise.all(notices.map(({ keyId }) => keys.byId(keyId)));
  return found.flatMap((key, at) => {
    const end = notices[at]?.expiresAt ?? 0;
    if (key === null || !key.enabled || key.replacedBy !== null || key.expiresAt !== end) return [];
    const { name, start, tags, lastUsedAt } = key;
    return [{ name, start, tags, expiresAt: end, lastUsedAt }];
  });
};

const writerOf =
  (deps: MailOfficeDeps) =>
  async ({ kind, content }: ClaimedMail): Promise<MailText | null> => {
    // The content was stored by the same version of the same template, or by one before it.
    if (kind !== 'expiry') return writeMail(kind, content as never);
    const { name, notices } = content as { name: string; notices: KeyNotice[] };
    const ending = await stillEnding(deps, notices);
    if (ending.length === 0) return null;
    return writeMail('expiry', { name, keys: ending, link: `${deps.base()}/console/account` });
  };

const healthOf = async (
  { mails, transport }: MailOfficeDeps,
  ending: () => Promise<number>,
): Promise<PartHealth> => {
  if (transport === null) {
    const soon = await ending();
    const keys = soon === 1 ? '1 key ends' : `${soon} keys end`;
    return {
      status: 'ok',
      detail: soon === 0 ? 'not set up' : `not set up, so nobody is told that ${keys} within 7 days`,
    };
  }
  const { queued, retried, failed, error } = await mails.counts();
  const detail = `${queued} waiting, ${failed} given up`;
  return retried + failed === 0
    ? { status: 'ok', detail }
    : { status: 'degraded', detail: `${detail}; ${error ?? 'the mail server refused some'}` };
};

export const createMailOffice = (deps: MailOfficeDeps): MailOffice => {
  const { keys, members, mails, transport, mailTo, timezone, now, log } = deps;
  const sender: MailSender | null =
    transport === null ? null : createMailSender({ mails, transport, write: writerOf(deps), now, log });
  const stored = () => sender?.poke();
  const expiry = createExpiry({
    ...{ keys, members, mails, mailTo, timezone, now, log, stored, sends: transport !== null },
  });
  const look = () =>
    void expiry.look().catch((err: unknown) => log.warn({ err }, 'Keys that end were not looked for.'));
  let timer: NodeJS.Timeout | undefined;

  return {
    isSetUp: transport !== null,
    mail: (kind, to, content) =>
      transport === null ? null : ({ id: newId(), kind, to, content } satisfies NewMail),
    stored,
    async test(caller, named) {
      if (transport === null) throw conflict(NOT_SET_UP);
      const member = caller.member === undefined ? null : await members.byId(caller.member.id);
      const to = named ?? member?.email ?? mailTo;
      if (to === undefined) throw noAddress();
      const content: MailContents['test'] = { by: member?.name ?? caller.keyName };
      try {
        const said = await transport.send({ id: newId(), to, ...writeMail('test', content) });
        return { success: true, to, said };
      } catch (error) {
        return { success: false, to, said: messageOf(error) };
      }
    },
    start() {
      sender?.start();
      look();
      timer = setInterval(look, HOUR_MS).unref();
    },
    run: async () => sender?.run(),
    look: expiry.look,
    health: () => healthOf(deps, expiry.ending),
    ended: () => sender?.ended() ?? {},
    async close() {
      clearInterval(timer);
      await sender?.close();
    },
  };
};
