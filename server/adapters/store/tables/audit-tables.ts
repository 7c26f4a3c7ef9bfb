// The tables of the audit log.
import type { AuditActor } from '../../../core/audit.ts';

export interface AuditTable {
  n: number;
  at: number;
  actor_kind: AuditActor['kind'];
  actor_id: string;
  actor_name: string;
  way: string;
  request_id: string | null;
  action: string;
  target_kind: string | null;
  target_id: string | null;
  /** JSON; null: the change is about no container tag. */
  tags: string | null;
  details: string;
  /** The hash of this row together with the hash before it. */
  hash: string;
  /** Outside the hash, because it is dropped after a while. */
  address: string | null;
}

/** One row, made by the first row of the log: the end of the chain, and the last row that was pruned. */
export interface AuditHeadTable {
  id: number;
  n: number;
  hash: string;
  pruned_n: number;
  pruned_hash: string;
}
