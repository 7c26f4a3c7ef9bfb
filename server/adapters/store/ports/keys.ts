// API keys in the store. A change takes the note that the audit log keeps of it.
import type { AuditNote } from '../../../core/audit.ts';
import type { MemberRecord } from '../../../core/principal.ts';
import type { QuotaLimits } from './usage/quotas.ts';

export interface KeyRecord {
  id: string;
  hash: string;
  /** The first characters, to recognise it by. */
  start: string;
  name: string;
  permission: 'read' | 'write';
  /** Null: all tags. */
  tags: string[] | null;
  enabled: boolean;
  expiresAt: number | null;
  rateLimitMax: number | null;
  rateLimitWindowMs: number | null;
  pluginId: string | null;
  /** The key that made this one; null: no key did, or it was made before this was recorded. */
  madeBy: string | null;
  /** The member whose key it is; null: it belongs to the organisation. */
  ownerId: string | null;
  /** The most that a key of the organisation with full access may manage; null: as much as an owner. */
  role: 'admin' | null;
  /** The key that took its place; it ends soon, and nobody has to be told. */
  replacedBy: string | null;
  createdAt: number;
  lastUsedAt: number | null;
}

/** A key ends with its maker, so it is read together with its maker, the maker of that one, and so on. */
export interface KeyWithMakers extends KeyRecord {
  /** In no order; one that is gone is missing. */
  makers: readonly KeyRecord[];
  /** Null: it belongs to the organisation, or the member is gone. */
  owner: MemberRecord | null;
}

/** The part of a key that may change. */
export type KeyChanges = Pick<
  KeyRecord,
  'name' | 'permission' | 'tags' | 'expiresAt' | 'rateLimitMax' | 'rateLimitWindowMs' | 'role'
> & { quotas?: QuotaLimits };

/** A new key in the place of a former one, which ends at `endsAt`. */
export interface KeyReplacement {
  readonly former: string;
  readonly endsAt: number;
  readonly key: KeyRecord;
}

export interface KeyStore {
  byHash(hash: string): Promise<KeyWithMakers | null>;
  byId(id: string): Promise<KeyWithMakers | null>;
  list(): Promise<KeyRecord[]>;
  create(key: KeyRecord, note?: AuditNote | null): Promise<void>;
  /** The key of a start, of several processes that start at once only one. `given`: a person chose its secret. */
  createFirst(key: KeyRecord, given: boolean, note?: AuditNote | null): Promise<boolean>;
  setEnabled(id: string, enabled: boolean, note?: AuditNote | null): Promise<boolean>;
  /** False: there is no such key. */
  change(id: string, changes: KeyChanges, note?: AuditNote | null): Promise<boolean>;
  /** The keys and grants of the former key become those of the new one. False: the former key is gone or disabled. */
  replace(replacement: KeyReplacement, note?: AuditNote | null): Promise<boolean>;
  touch(uses: readonly { id: string; at: number }[]): Promise<void>;
}
