// The principal who makes a call, as every operation sees it.
import type { Scope } from './scope.ts';

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
  rateLimit: { max: number; windowMs: number } | null;
}

/** A key holder inside one call: `scope` is what this call may see and change. */
export interface Caller extends Principal {
  scope: Scope;
}
