// The tables of connections to outside sources.
import type { Generated } from '#kysely';

export interface ConnectionsTable {
  /** The public id. */
  id: string;
  provider: string;
  /** JSON, in the order given. */
  tags: string;
  state: 'waiting' | 'choosing' | 'active' | 'paused' | 'signed_out' | 'held' | 'removing';
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
  /** The account that signed in, as the source names it. */
  account: Generated<string | null>;
  email: Generated<string | null>;
  /** JSON: the resources that a person chose; null: no choice yet. */
  choice: Generated<string | null>;
  /** A hash of the client id of the app that signed it in. */
  app: Generated<string | null>;
  grant_ends_at: Generated<number | null>;
  /** Why it waits for a person, as a sentence. */
  problem: Generated<string | null>;
  /** 1: its removal leaves the documents. */
  keeps_documents: Generated<number>;
  /** The next time to make or renew its hooks; null: they need nothing. */
  hooks_due_at: Generated<number | null>;
  /** Attempts that failed one after the other. */
  hooks_failures: Generated<number>;
  /** Why the source does not call, as a sentence. */
  hooks_problem: Generated<string | null>;
}

export interface ConnectionSecretsTable {
  connection: string;
  sealed: string;
}

export interface ConnectionItemsTable {
  connection: string;
  id: string;
  state: 'wanted' | 'taken' | 'gone' | 'skipped' | 'failed' | 'excluded' | 'folder' | 'outside';
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
  kind: Generated<'file' | 'folder'>;
  parent: Generated<string | null>;
  /** JSON: its own tags in place of those of the connection. */
  tags: Generated<string | null>;
  bytes: Generated<number | null>;
  /** The fingerprint that reading it gave. */
  content_mark: Generated<string | null>;
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
  looked: Generated<number>;
  added: Generated<number>;
  updated: Generated<number>;
  unchanged: Generated<number>;
  skipped: Generated<number>;
  requests: Generated<number>;
  bytes: Generated<number>;
  waited_ms: Generated<number>;
  error_code: string | null;
  error: string | null;
}

/** Webhooks that a source calls. */
export interface ConnectionHooksTable {
  /** The hash of the random part of its address. */
  token_hash: string;
  connection: string;
  /** The secret by which the source proves a delivery. */
  sealed: string;
  /** The address of this server that the source was told. */
  base: string;
  /** JSON: what ends them, one for each that the source made. */
  watches: string;
  /** 1: a person made it at the source. */
  by_hand: number;
  made_at: number;
  ends_at: number | null;
  /** The last genuine delivery, to the minute. */
  heard_at: number | null;
}

/** The webhooks and the access of a removed connection, until they are ended at its source. */
export interface ConnectionFarewellsTable {
  /** The id of the connection. */
  id: string;
  provider: string;
  account: string | null;
  email: string | null;
  app: string | null;
  /** JSON, without secrets. */
  metadata: string;
  sealed: string | null;
  /** JSON: the hooks that the source made. */
  watches: string;
  attempts: Generated<number>;
  due_at: number;
  lease: string | null;
}

/** Sign-ins under way. */
export interface ConnectionStatesTable {
  hash: string;
  connection: string;
  /** The verifier of the PKCE challenge. */
  sealed: string;
  redirect_url: string | null;
  ends_at: number;
  used_at: number | null;
}

/** Deliveries of webhooks that were heard, so that a repeated one does nothing. */
export interface HookDeliveriesTable {
  provider: string;
  delivery: string;
  at: number;
}
