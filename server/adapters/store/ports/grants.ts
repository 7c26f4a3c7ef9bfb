// Grants that people gave to programs, and the tokens and sign-ins that depend on them.
import type { AuditNote } from '../../../core/audit.ts';
import type { NewMail } from './team/mails.ts';

/** Lets a program use the memory like a key, for a limited time. */
export interface GrantRecord {
  id: string;
  /** The key that granted it. */
  keyId: string;
  clientId: string;
  clientName: string;
  /** The host that the answer was sent to: it really received the grant. */
  redirectHost: string;
  permission: 'read' | 'write';
  /** Null: all that the key may use. */
  tags: string[] | null;
  createdAt: number;
  expiresAt: number;
  lastUsedAt: number | null;
}

/** A record of the authorization server, found by the hash of a secret that is not stored. */
export interface TokenRecord {
  kind: string;
  hash: string;
  grantId: string | null;
  uid: string | null;
  payload: Record<string, unknown>;
  consumedAt: number | null;
  /** Null: it does not expire. */
  expiresAt: number | null;
}

export interface TokenStore {
  find(kind: string, hash: string): Promise<TokenRecord | null>;
  findByUid(kind: string, uid: string): Promise<TokenRecord | null>;
  /** Replaces what has the same kind and hash. The mail is queued in the same transaction. */
  keep(token: Omit<TokenRecord, 'consumedAt'>, mail?: NewMail | null): Promise<void>;
  /** False: another caller consumed it first. */
  consume(kind: string, hash: string): Promise<boolean>;
  drop(kind: string, hash: string): Promise<void>;
  dropOfGrant(kind: string, grantId: string): Promise<void>;
}

/** Never handed to an operation. */
export interface GrantStore {
  list(): Promise<GrantRecord[]>;
  byId(id: string): Promise<GrantRecord | null>;
  create(grant: GrantRecord, note?: AuditNote | null): Promise<void>;
  /** Deletes its tokens too; false: there was none. */
  revoke(id: string, note?: AuditNote | null): Promise<boolean>;
  touch(uses: readonly { id: string; at: number }[]): Promise<void>;
  tokens: TokenStore;
}
