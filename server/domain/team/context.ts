// The dependencies that the parts of the team share.
import type { NewMail } from '../../adapters/store/ports/team/mails.ts';
import type { TeamStore } from '../../adapters/store/ports/team/team.ts';
import type { Logger } from '../../core/log.ts';
import type { Access } from '../access/access.ts';

/** Makes mails for the outbox, which the store keeps until they are sent. */
export interface Outbox {
  /** False: no mail is sent. */
  readonly isSetUp: boolean;
  /** Null: no mail is set up. */
  mail(kind: NewMail['kind'], to: string, content: NewMail['content']): NewMail | null;
  /** A mail was stored, so the sender looks at once. */
  stored(): void;
}

export interface TeamContext {
  store: TeamStore;
  access: Pick<Access, 'personalKey' | 'memberChanged' | 'guesses' | 'sessions' | 'grants' | 'mayAskLink'>;
  outbox: Outbox;
  /** The start of the address of links. */
  base(): string;
  /** True if a person can sign in without a key. */
  signsInWithoutKey: boolean;
  now: () => number;
  log: Pick<Logger, 'info' | 'warn'>;
}
