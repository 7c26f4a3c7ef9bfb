// Quotas in the store, and what was used since a moment.
import type { AuditNote } from '../../../../core/audit.ts';

export type QuotaHolder = 'key' | 'member' | 'tag';

export interface QuotaRecord {
  readonly of: QuotaHolder;
  /** The id of a key or member, or the text of a tag. */
  readonly id: string;
  readonly quota: string;
  readonly most: number;
}

export interface QuotaUse {
  readonly documents: number;
  readonly bytes: number;
  readonly searches: number;
  readonly tokens: number;
}

/** Null removes one; a missing one stays. */
export type QuotaLimits = Readonly<Record<string, number | null>>;

export interface QuotaChange {
  readonly of: QuotaHolder;
  readonly id: string;
  readonly quotas: QuotaLimits;
}

/** Never handed to an operation. */
export interface QuotaStore {
  list(): Promise<QuotaRecord[]>;
  /** False: there is no such key, member or tag. */
  change(change: QuotaChange, note?: AuditNote | null): Promise<boolean>;
  used(of: QuotaHolder, id: string, since: number): Promise<QuotaUse>;
}
