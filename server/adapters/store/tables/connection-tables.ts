// The tables of connections to outside sources.
import type { Generated } from 'kysely';

export interface ConnectionsTable {
  /** The public id. */
  id: string;
  provider: string;
  /** JSON, in the order given. */
  tags: string;
  state: 'active' | 'paused' | 'signed_out' | 'held';
  document_limit: number;
  /** JSON, without secrets. */
  metadata: string;
  created_by: string | null;
  created_at: number;
  /** JSON: the place in the feed of the source; null: the next look begins at its start. */
  cursor: Generated<string | null>;
  /** The number of the newest look. */
  looks: Generated<number>;
  /** Null: only by hand. */
  look_due_at: number | null;
  /** Null: the schedule. */
  wanted_by: 'manual' | 'event' | null;
  /** The source asked for silence until then. */
  not_before: Generated<number>;
  /** Removals that wait for a person. */
  held: Generated<number>;
  removals_accepted: Generated<number>;
  /** Runs that failed one after the other. */
  failures: Generated<number>;
  lease: Generated<string | null>;
  lease_until: Generated<number>;
}

export interface ConnectionSecretsTable {
  connection: string;
  sealed: string;
}

export interface ConnectionItemsTable {
  connection: string;
  id: string;
  state: 'wanted' | 'taken' | 'gone' | 'skipped' | 'failed' | 'excluded';
  /** A fingerprint of the content, as the listing gives it. */
  mark: string;
  /** JSON: title, path, address and metadata. */
  face: string;
  /** JSON: what the adapter needs to read it. */
  how: string;
  /** The number of the look that saw it last. */
  seen_in: number;
  taken_mark: string | null;
  taken_face: string | null;
  /** The id of its document. */
  doc: string | null;
  attempts: Generated<number>;
  due_at: number;
  error_code: string | null;
  error: string | null;
}

export interface SyncRunsTable {
  id: string;
  connection: string;
  look: number;
  status: 'running' | 'completed' | 'failed';
  trigger_type: 'cron' | 'manual' | 'event';
  started_at: number;
  completed_at: number | null;
  processed: Generated<number>;
  failed: Generated<number>;
  removed: Generated<number>;
  beyond_limit: Generated<number>;
  error_code: string | null;
  error: string | null;
}
