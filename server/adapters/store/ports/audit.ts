// The audit log in the store: append-only, each row chained to the one before it by its hash.
import type { AuditActor, AuditDetails, AuditNote } from '../../../core/audit.ts';
import type { Scope } from '../../../core/scope.ts';

export interface AuditEntry {
  n: number;
  at: number;
  actor: AuditActor;
  way: string;
  requestId: string | null;
  action: string;
  target: { kind: string; id: string } | null;
  tags: readonly string[];
  details: AuditDetails;
  hash: string;
  /** Null: there was none, or it was dropped after its time. */
  address: string | null;
}

/** Missing fields do not narrow. */
export interface AuditQuery {
  readonly from?: number;
  readonly to?: number;
  /** The id of an actor. */
  readonly actor?: string;
  /** An action, or the part of it before the dot. */
  readonly action?: string;
  /** The id of a target. */
  readonly target?: string;
  /** Rows after this one, oldest first; without it the newest come first. */
  readonly after?: number;
  readonly offset: number;
  readonly limit: number;
}

/** A row of the chain, by its number and its hash. */
export interface ChainPlace {
  readonly n: number;
  readonly hash: string;
}

export interface ChainCheck {
  /** The last row that fits. */
  readonly place: ChainPlace;
  /** The number of rows that this slice compared. */
  readonly rows: number;
  /** False: the next slice begins after `place`. */
  readonly done: boolean;
  /** The first row that does not fit; null: none of this slice. */
  readonly broken: { n: number; why: 'changed' | 'missing' | 'inserted' } | null;
}

export interface AuditPruning {
  /** Rows before this moment go; the last row always stays. */
  readonly before: number;
  /** Addresses of rows before this moment go. */
  readonly addressesBefore: number;
}

export interface AuditStore {
  list(scope: Scope, query: AuditQuery): Promise<{ entries: AuditEntry[]; total: number }>;
  /** Compares a slice of the chain, from its beginning (null) or after a place. */
  check(scope: Scope, after: ChainPlace | null): Promise<ChainCheck>;
}

/** Never handed to an operation. */
export interface AuditKeeping {
  /** The end of the chain. */
  head(): Promise<ChainPlace>;
  /** For a change that the database does not hold; every other one hands its note to its own write. */
  append(note: AuditNote): Promise<void>;
  /** Appends the note if the log of requests is kept otherwise than at the last start. */
  requestLog(mode: string, note: AuditNote): Promise<boolean>;
  /** Returns the number of rows that went. */
  prune(pruning: AuditPruning): Promise<number>;
}
