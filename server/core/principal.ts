// The principal who makes a call, as every operation sees it.
import type { AuditIntent } from './audit.ts';
import { DEFAULT_TAG } from './default-tag.ts';
import type { Scope } from './scope.ts';

/** The id of the owner of this machine, who needs no key. */
export const OWNER_ID = 'local';

/** The share of the organisation that a person or a key may manage. */
export type TeamRole = 'owner' | 'admin' | 'member';

/** The access of a member to one container tag. */
export interface TagAccess {
  containerTag: string;
  permission: 'read' | 'write';
}

export interface MemberRecord {
  id: string;
  /** Folded: no two members differ in case alone. */
  email: string;
  /** True: the person opened a link that was sent to the address, or a provider vouches for it. */
  emailVerified: boolean;
  name: string;
  role: TeamRole;
  /** Null: every container tag. */
  tags: TagAccess[] | null;
  createdAt: number;
  lastSeenAt: number | null;
}

export interface RateLimit {
  max: number;
  windowMs: number;
}

/** A recognised key, session or grant that makes a call, before any permission is checked. */
export interface Principal {
  /** The id of the key; for a member who signed in without a key, the id of the member. */
  keyId: string;
  keyName: string;
  permission: 'read' | 'write';
  /** The tags that it may use; null: all. */
  tags: readonly string[] | null;
  /** The tags among them that it may write in; missing: all. */
  writeTags?: readonly string[];
  /** The right to manage; `member`: only what is its own. */
  role: TeamRole;
  /** Set if a member calls, or a key of a member. */
  member?: { readonly id: string; readonly name: string };
  /** Set if a member calls in person: by a session, or by a key with all rights of the member. */
  inPerson?: true;
  /** Set if a signed-in browser calls. */
  sessionId?: string;
  expiresAt: number | null;
  /** Set if the caller is a program that a person connected. */
  grantId?: string;
  /** Set if the key belongs to a plugin, which manages nothing. */
  isPlugin?: true;
  rateLimit: RateLimit | null;
  /** The keys that made this one, directly or not: it counts for their quotas. Missing: none did. */
  makers?: readonly string[];
  /** The rate limits of its makers, which all keys that they made share. */
  makerLimits?: readonly (RateLimit & { keyId: string })[];
  /** Set during a change that the audit log notes. */
  audit?: AuditIntent;
}

/** The tags of a write that names none; a key with several must name one, unless the customId does. */
export const defaultTags = ({ tags }: Principal): readonly string[] => {
  if (tags === null) return [DEFAULT_TAG];
  return tags.length === 1 ? tags : [];
};

/** A principal inside one call: `scope` is what this call may see and change. */
export interface Caller extends Principal {
  scope: Scope;
  /** Set if the call works inside the tag that it names: everything else is unknown to it. */
  isInside?: true;
}
