// The principal who makes a call, as every operation sees it.
import type { AuditIntent } from './audit.ts';
import type { Scope } from './scope.ts';

/** The id of the owner of this machine, who needs no key. */
export const OWNER_ID = 'local';

export interface RateLimit {
  max: number;
  windowMs: number;
}

/** A recognised key, before any permission is checked. */
export interface Principal {
  keyId: string;
  keyName: string;
  permission: 'read' | 'write';
  /** The tags the key is bound to; null: all. */
  tags: readonly string[] | null;
  expiresAt: number | null;
  /** Set if the caller is a program that a person connected. */
  grantId?: string;
  /** Set if the key belongs to a plugin, which manages nothing. */
  isPlugin?: true;
  rateLimit: RateLimit | null;
  /** Those of the makers of the key: what they made shares their rate. */
  makerLimits?: readonly (RateLimit & { keyId: string })[];
  /** Set during a change that the audit log notes. */
  audit?: AuditIntent;
}

/** A key holder inside one call: `scope` is what this call may see and change. */
export interface Caller extends Principal {
  scope: Scope;
  /** Set if the call works inside the tag that it names: everything else is unknown to it. */
  isInside?: true;
}
