// Members of the organisation, invitations and sessions in the store.
import type { AuditNote } from '../../../../core/audit.ts';
import type { MemberRecord, TagAccess, TeamRole } from '../../../../core/principal.ts';
import type { KeyRecord } from '../keys.ts';
import type { NewMail } from './mails.ts';

export type InviteStatus = 'pending' | 'accepted' | 'rejected' | 'canceled';

export interface InviteRecord {
  id: string;
  email: string;
  role: TeamRole;
  tags: TagAccess[] | null;
  tokenHash: string;
  /** The member who invited; null: a key or the machine itself did. */
  inviterId: string | null;
  inviterName: string;
  invitedAt: number;
  expiresAt: number;
  status: InviteStatus;
  acceptedAt: number | null;
  /** True: the link was sent by mail, so opening it proves the address. */
  mailed: boolean;
}

/** The link of an invitation: the hash of its secret, and its end. */
export type InviteToken = Pick<InviteRecord, 'tokenHash' | 'expiresAt' | 'mailed'>;

/** A signed-in browser, found by the hash of its cookie. */
export interface SessionRecord {
  id: string;
  hash: string;
  /** Null: a service key signed in. */
  memberId: string | null;
  /** The key that signed in; the session ends with it. Null: a mail or a provider did. */
  keyId: string | null;
  createdAt: number;
  lastSeenAt: number;
  expiresAt: number;
  userAgent: string;
}

export type MemberRemoved =
  | { outcome: 'removed'; sessions: number; keys: number; grants: number }
  | { outcome: 'missing' | 'lastOwner' };

export type InviteCreated =
  | { outcome: 'created'; invite: InviteRecord; renewed: boolean }
  | { outcome: 'member' | 'tooMany' };

export type InviteAccepted =
  | { outcome: 'accepted'; member: MemberRecord }
  | { outcome: 'missing' | 'ended' | 'expired' | 'member' };

export interface MemberStore {
  list(): Promise<MemberRecord[]>;
  byId(id: string): Promise<MemberRecord | null>;
  byEmail(email: string): Promise<MemberRecord | null>;
  /** False: the address belongs to a member already. */
  create(member: MemberRecord, key: KeyRecord | null, note?: AuditNote | null): Promise<boolean>;
  /** A further key of a member. */
  giveKey(key: KeyRecord): Promise<void>;
  /** Ends the sessions, keys and grants of the member in the same transaction. */
  remove(id: string, note?: AuditNote | null): Promise<MemberRemoved>;
  /** An owner and an admin lose their limit to tags. */
  setRole(id: string, role: TeamRole, note?: AuditNote | null): Promise<'changed' | 'missing' | 'lastOwner'>;
  setAccess(id: string, tags: readonly TagAccess[] | null, note?: AuditNote | null): Promise<boolean>;
  verify(id: string): Promise<void>;
  touch(uses: readonly { id: string; at: number }[]): Promise<void>;
}

export interface InviteStore {
  list(): Promise<InviteRecord[]>;
  byId(id: string): Promise<InviteRecord | null>;
  byToken(hash: string): Promise<InviteRecord | null>;
  /** Renews the pending invitation of the address, if there is one. */
  create(invite: InviteRecord, mail: NewMail | null, note?: AuditNote | null): Promise<InviteCreated>;
  /** A new token in the place of the old one; null: it is no longer pending. */
  renew(
    id: string,
    token: InviteToken,
    mail: NewMail | null,
    note?: AuditNote | null,
  ): Promise<InviteRecord | null>;
  cancel(id: string, note?: AuditNote | null): Promise<boolean>;
  accept(
    tokenHash: string,
    member: Pick<MemberRecord, 'id' | 'name'>,
    key: KeyRecord | null,
    note?: AuditNote | null,
  ): Promise<InviteAccepted>;
  reject(tokenHash: string): Promise<boolean>;
}

export interface SessionStore {
  byHash(hash: string): Promise<SessionRecord | null>;
  /** The sessions of a member, or of a key that belongs to nobody. */
  list(whose: { memberId: string } | { keyId: string }): Promise<SessionRecord[]>;
  create(session: SessionRecord, mail: NewMail | null, note?: AuditNote | null): Promise<void>;
  end(id: string, note?: AuditNote | null): Promise<boolean>;
  touch(uses: readonly { id: string; at: number }[]): Promise<void>;
}

/** Never handed to an operation. */
export interface TeamStore {
  members: MemberStore;
  invites: InviteStore;
  sessions: SessionStore;
}
