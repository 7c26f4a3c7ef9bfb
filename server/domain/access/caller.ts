// Who is calling, as every operation sees it.
import type { Scope } from '../../lib/scope.ts';

/** A key that has been recognised; nothing has been asked of it yet. */
export interface KeyHolder {
  keyId: string;
  keyName: string;
  permission: 'read' | 'write';
  /** The tags the key is bound to; null: all. */
  tags: readonly string[] | null;
  expiresAt: number | null;
  /** Set where a program calls that a person connected. */
  grantId?: string;
  rateLimit: { max: number; windowMs: number } | null;
}

/** A key holder inside one call: `scope` is what this call may see and change. */
export interface Caller extends KeyHolder {
  scope: Scope;
}
