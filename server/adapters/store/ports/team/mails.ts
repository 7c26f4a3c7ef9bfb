// The outbox of mails, and the notices of keys that end.

export type MailKind = 'invitation' | 'signIn' | 'expiry' | 'newSignIn' | 'test';

export interface NewMail {
  id: string;
  kind: MailKind;
  to: string;
  /** The values that the template of the kind needs; erased once the mail is sent. */
  content: Readonly<Record<string, unknown>>;
}

export interface ClaimedMail extends NewMail {
  attempts: number;
  lease: string;
  createdAt: number;
}

export type MailEnd =
  | { state: 'sent' | 'dropped' }
  | { state: 'failed'; error: string }
  | { state: 'queued'; error: string; nextAt: number };

export interface MailCounts {
  queued: number;
  /** Not given up, but refused at least once. */
  retried: number;
  failed: number;
  /** The last error of one of them; null: there is none. */
  error: string | null;
}

/** A key is told to end within the threshold; each threshold is told once for each end. */
export interface KeyNotice {
  keyId: string;
  thresholdDays: number;
  expiresAt: number;
}

/** A mail with the notices for one person. */
export interface NoticeMail {
  to: string;
  name: string;
  notices: readonly KeyNotice[];
}

export interface MailStore {
  queue(mail: NewMail): Promise<void>;
  counts(): Promise<MailCounts>;
  /** One mail that is due, under a lease; null: there is none. */
  claim(leaseMs: number): Promise<ClaimedMail | null>;
  end(mail: Pick<ClaimedMail, 'id' | 'lease'>, end: MailEnd): Promise<void>;
  /** The times of the last notice, by key. */
  noticed(): Promise<Map<string, number>>;
  /**
   * Notes what was not told yet and queues its mails in one transaction. With `day`, nothing happens if another digest was
   * made on that day. Returns the number of mails.
   */
  notice(mails: readonly NoticeMail[], day: string | null): Promise<number>;
}
