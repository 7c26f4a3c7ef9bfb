// A thread of mail as it is stored: one JSON text, written by a source of mail and read in an extraction process.

export const MAIL_THREAD_TYPE = 'application/vnd.memoir.mail+json';
/** The beginning of each thread, by which it is recognised. */
export const MAIL_THREAD_START = '{"memoirMail":1,';

export interface MailMessage {
  readonly from: string;
  /** In milliseconds; null: not known. */
  readonly sentAt: number | null;
  /** Null: there is none. */
  readonly text: string | null;
  readonly html: string | null;
  /** The names of the attachments. */
  readonly attachments: readonly string[];
}

export interface MailThread {
  readonly subject: string;
  /** Oldest first. */
  readonly messages: readonly MailMessage[];
}

export const writeMailThread = ({ subject, messages }: MailThread): string =>
  JSON.stringify({ memoirMail: 1, subject, messages });

/** `"Ann Example" <ann@example.org>` → `Ann Example` */
export const mailSender = (from: string): string => {
  const name = /^\s*"?([^"<]*?)"?\s*</.exec(from)?.[1]?.trim();
  return name === undefined || name === '' ? from.replace(/[<>]/g, '').trim() : name;
};
