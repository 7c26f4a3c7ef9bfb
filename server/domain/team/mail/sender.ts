// Sends what waits in the outbox: one mail at a time, each under a lease, and again after a failure that may pass.
import type { MailTransport } from '../../../adapters/mail/port.ts';
import type { ClaimedMail, MailEnd, MailStore } from '../../../adapters/store/ports/team/mails.ts';
import { MailError } from '../../../core/errors.ts';
import type { Logger } from '../../../core/log.ts';
import { type RetryPlan, withRetries } from '../../../lib/async/retry.ts';
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

/** The outcome of a mail: the mail server is asked once. */
const tryMail = async (
  { transport, write, now, log }: MailSenderDeps,
  mail: ClaimedMail,
): Promise<{ end: MailEnd; as: EndedAs }> => {
  const { id, kind, attempts } = mail;
  try {
    const text = await write(mail);
    if (text !== null) await transport.send({ id, to: mail.to, ...text });
    const as = text === null ? 'dropped' : 'sent';
    log.info({ mailId: id, kind }, as === 'dropped' ? 'A mail was left out.' : 'A mail was sent.');
    return { end: { state: as }, as };
  } catch (error) {
    const end = failedEnd(error, attempts, now());
    const as = end.state === 'failed' ? 'failed' : 'retried';
    log.warn(
      { mailId: id, kind, attempts, err: error },
      as === 'failed' ? 'A mail was given up.' : 'A mail was not sent; it is tried again.',
    );
    return { end, as };
  }
};

/** A database that is away for a moment must not let a mail that was sent be sent again. */
const RECORDING: RetryPlan = { attempts: 5, firstWaitMs: 250, longestWaitMs: 2_000 };

export const createMailSender = (deps: MailSenderDeps): MailSender => {
  const { mails, transport, log } = deps;
  let running: Promise<void> | undefined;
  let again = false;
  const closing = new AbortController();
  const ended: Record<EndedAs, number> = { sent: 0, dropped: 0, retried: 0, failed: 0 };

  async function sendOne(mail: ClaimedMail): Promise<void> {
    const { end, as } = await tryMail(deps, mail);
    await withRetries(
      () => mails.end(mail, end),
      RECORDING,
      () => ({}),
      closing.signal,
    );
    ended[as] += 1;
  }

  async function sendAll(): Promise<void> {
    do {
      again = false;
      for (let mail = await mails.claim(LEASE_MS); mail !== null; mail = await mails.claim(LEASE_MS)) {
        await sendOne(mail);
        if (closing.signal.aborted) return;
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
      closing.abort();
      clearInterval(timer);
      transport.close();
      await running?.catch(() => undefined);
    },
  };
};
