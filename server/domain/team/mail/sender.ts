// Sends what waits in the outbox: one mail at a time, each under a lease, and again after a failure that may pass.
import type { MailTransport } from '../../../adapters/mail/port.ts';
import type { ClaimedMail, MailEnd, MailStore } from '../../../adapters/store/ports/team/mails.ts';
import { MailError } from '../../../core/errors.ts';
import type { Logger } from '../../../core/log.ts';
import { messageOf } from '../../../lib/failures.ts';
import type { MailText } from './templates.ts';

const MINUTE_MS = 60_000;
/** The pauses before each further try. */
const PAUSES_MS = [1, 5, 30, 120, 360, 720].map((minutes) => minutes * MINUTE_MS);
/** Longer than one try can take. */
const LEASE_MS = 5 * MINUTE_MS;
const LOOK_MS = 15_000;

export interface MailSender {
  /** Looks now and then, also for mails whose process is gone. */
  start(): void;
  /** Sends everything that is due. */
  run(): Promise<void>;
  /** There is something new. */
  poke(): void;
  /** The mails that this process has ended since its start, by how. */
  ended(): Readonly<Record<EndedAs, number>>;
  close(): Promise<void>;
}

export type EndedAs = 'sent' | 'dropped' | 'retried' | 'failed';

export interface MailSenderDeps {
  mails: Pick<MailStore, 'claim' | 'end'>;
  transport: MailTransport;
  /** Null: what the mail would tell is no longer true. */
  write(mail: ClaimedMail): Promise<MailText | null>;
  now: () => number;
  log: Pick<Logger, 'info' | 'warn'>;
}

const failedEnd = (error: unknown, attempts: number, now: number): MailEnd => {
  const pause = PAUSES_MS[attempts - 1];
  const isFinal = error instanceof MailError && error.isFinal;
  return isFinal || pause === undefined
    ? { state: 'failed', error: messageOf(error) }
    : { state: 'queued', error: messageOf(error), nextAt: now + pause };
};

export const createMailSender = ({ mails, transport, write, now, log }: MailSenderDeps): MailSender => {
  let running: Promise<void> | undefined;
  let again = false;
  let closed = false;
  const ended: Record<EndedAs, number> = { sent: 0, dropped: 0, retried: 0, failed: 0 };

  async function sendOne(mail: ClaimedMail): Promise<void> {
    const { id, kind, attempts } = mail;
    try {
      const text = await write(mail);
      if (text !== null) await transport.send({ id, to: mail.to, ...text });
      const state = text === null ? 'dropped' : 'sent';
      await mails.end(mail, { state });
      ended[state] += 1;
      log.info({ mailId: id, kind }, text === null ? 'A mail was left out.' : 'A mail was sent.');
    } catch (error) {
      const end = failedEnd(error, attempts, now());
      await mails.end(mail, end);
      ended[end.state === 'failed' ? 'failed' : 'retried'] += 1;
      log.warn(
        { mailId: id, kind, attempts, err: error },
        end.state === 'failed' ? 'A mail was given up.' : 'A mail was not sent; it is tried again.',
      );
    }
  }

  async function sendAll(): Promise<void> {
    do {
      again = false;
      for (let mail = await mails.claim(LEASE_MS); mail !== null; mail = await mails.claim(LEASE_MS)) {
        await sendOne(mail);
        if (closed) return;
      }
    } while (again);
  }

  const run = (): Promise<void> => {
    again = true;
    running ??= sendAll().finally(() => {
      running = undefined;
    });
    return running;
  };

  const look = () =>
    void run().catch((err: unknown) => log.warn({ err }, 'The outbox of mails was not read.'));
  let timer: NodeJS.Timeout | undefined;

  return {
    start() {
      look();
      timer = setInterval(look, LOOK_MS).unref();
    },
    run,
    poke: look,
    ended: () => ended,
    async close() {
      closed = true;
      clearInterval(timer);
      transport.close();
      await running?.catch(() => undefined);
    },
  };
};
