// The tables, one interface each. Times are milliseconds, truth values 0 and 1, structures JSON text.

import type { Generated, Kysely } from '#kysely';
import type {
  GrantsTable,
  KeysTable,
  KeyTokensTable,
  OauthTokensTable,
  TagTokensTable,
} from './access-tables.ts';
import type { AuditHeadTable, AuditTable } from './audit-tables.ts';
import type {
  ConnectionFarewellsTable,
  ConnectionHooksTable,
  ConnectionItemsTable,
  ConnectionSecretsTable,
  ConnectionStatesTable,
  ConnectionsTable,
  HookDeliveriesTable,
  SyncRunsTable,
} from './connection-tables.ts';
import type {
  ExactVectorsTable,
  IndexedContainersTable,
  SpacesTable,
  VectorBlocksTable,
  VectorOutboxTable,
} from './space-tables.ts';
import type {
  InvitesTable,
  KeyNoticesTable,
  MailContentsTable,
  MailsTable,
  MembersTable,
  SessionsTable,
} from './team-tables.ts';
import type {
  QuotasTable,
  RequestsTable,
  RequestUnitsTable,
  UsageCallsTable,
  UsageTagsTable,
} from './usage-tables.ts';

export interface MetaTable {
  key: string;
  value: string;
}

export interface TagsTable {
  n: Generated<number>;
  tag: string;
  name: string | null;
  entity_context: string | null;
  created_at: number;
  updated_at: number;
  /** Counts every write to the memories of the tag. */
  changes: Generated<number>;
  /** JSON: paths below which documents are read for memories; null: everywhere. */
  memory_paths: string | null;
  /** JSON: the tag's own profile buckets. */
  buckets: string | null;
}

/** A job that moves everything of the source tags to the target, in batches. */
export interface MergesTable {
  n: Generated<number>;
  id: string;
  /** JSON, in the order given. */
  sources: string;
  target: string;
  status: 'queued' | 'processing' | 'completed';
  moved: Generated<number>;
  /** Documents that gave up their customId, because the target has another document of that name. */
  unnamed: Generated<number>;
  created_at: number;
  updated_at: number;
}

/** One set of tags. Documents live in exactly one; chunk numbers are clustered by it. */
export interface ContainersTable {
  n: Generated<number>;
  scope_key: string;
  next_seq: Generated<number>;
  documents: Generated<number>;
  chunks: Generated<number>;
  body_tokens: Generated<number>;
  messages: Generated<number>;
  message_tokens: Generated<number>;
  next_memory: Generated<number>;
  memories: Generated<number>;
  memory_tokens: Generated<number>;
}

export interface ContainerTagsTable {
  tag: number;
  container: number;
}

export interface DocumentsTable {
  n: Generated<number>;
  id: string;
  container: number;
  custom_id: string | null;
  tags: string;
  title: string | null;
  /** 1: the caller's own; 0: taken from the content, and taken again when that changes. */
  title_given: Generated<number>;
  summary: string | null;
  /** The title that is shown unless the caller gave one. The other one is that of the passages. */
  shown_title: Generated<string | null>;
  /** Null: none was looked for yet. */
  title_origin: Generated<'stated' | 'drawn' | 'written' | null>;
  summary_origin: Generated<'drawn' | 'written' | null>;
  type: string;
  content: string | null;
  content_hash: string;
  /** The kinds and lengths of its parts; null: one part, whose kind the content shows. */
  layout: Generated<string | null>;
  url: string | null;
  source: string | null;
  /** The id of the connection that brought it. */
  connection: Generated<string | null>;
  filepath: string | null;
  task_type: string;
  dreaming: string;
  metadata: string | null;
  step: string;
  revision: number;
  /** The revision whose chunks are searchable; 0: none yet. */
  indexed_revision: Generated<number>;
  attempts: Generated<number>;
  crashes: Generated<number>;
  due_at: number;
  lease: string | null;
  lease_boot: string | null;
  failure_code: string | null;
  failure_message: string | null;
  failure_retryable: number | null;
  progress_done: number | null;
  progress_total: number | null;
  chunks: Generated<number>;
  created_at: number;
  updated_at: number;
  deleted: Generated<number>;
  /** 1: moved to other tags, while its chunks still have the numbers of the former container. */
  moved: Generated<number>;
  /** none: nothing to draw; waiting, done, failed. */
  memory_state: Generated<string>;
  memory_attempts: Generated<number>;
  memory_due_at: Generated<number>;
  memory_lease: string | null;
  memory_failure_code: string | null;
  memory_failure_message: string | null;
  memory_failure_retryable: number | null;
  note: string | null;
  /** JSON: the metadata that the service added. */
  facts: string | null;
  progress_unit: string | null;
  /** 1: it is read outside of the queue, because it takes long. */
  heavy: Generated<number>;
  input_tokens: Generated<number>;
  output_tokens: Generated<number>;
  /** JSON: which memories may serve as context while it is read; null: all. */
  context_filter: Generated<string | null>;
  /** The size of the passages that it was cut into; null: the default size. */
  chunk_size: Generated<number | null>;
  /** The key that sent its content last; null: sent before keys were recorded. */
  sent_by: Generated<string | null>;
  /** Null: its memories were never asked to be redrawn. */
  redraw: Generated<'waiting' | 'done' | 'failed' | null>;
  redraw_added: Generated<number>;
  redraw_removed: Generated<number>;
}

/** The submissions of callers, merged in order by the pipeline. */
export interface SubmissionsTable {
  n: Generated<number>;
  doc: number;
  revision: number;
  mode: 'merge' | 'replace';
  /** Null once it is decided, and for the submission that made the document: the document has the text. */
  content: string | null;
  hash: string;
  decision: string | null;
  /** Why this part was left out of the document for good. */
  left_out: Generated<string | null>;
  created_at: number;
  /** JSON: the facts that the sender stated with it; null: none, or all are memories of the document. */
  facts: Generated<string | null>;
  /** 1: its passages are stored, so its facts can become memories. */
  placed: Generated<number>;
}

export interface FilesTable {
  key: string;
  /** Null: the file will be erased. */
  doc: number | null;
  name: string;
  mime_type: string | null;
  file_type: string | null;
  bytes: number;
  sha256: string;
  created_at: number;
}

export interface DocumentMetaTable {
  key: string;
  container: number;
  type: 's' | 'n' | 'b';
  text: string;
  /** Lower-cased in TypeScript, so that both databases fold alike. */
  folded: string;
  number: number | null;
  doc: number;
}

export interface ChunksTable {
  n: number;
  id: string;
  doc: number;
  position: number;
  part: number;
  flags: number;
  title: string | null;
  speaker: string | null;
  role: string | null;
  date: number | null;
  content: string;
  metadata: string | null;
  body_tokens: number;
  message_tokens: number;
  terms: Uint8Array;
  input_hash: string;
  created_at: number;
  /** 1: memories were drawn from it; 2: its memories are the facts that its sender stated. */
  read_for_memories: Generated<number>;
}

export interface MemoriesTable {
  /** In the upper half of its container's numbers, so that words and vectors serve chunks and memories alike. */
  n: number;
  id: string;
  container: number;
  memory: string;
  /** The hash of the statement without punctuation and case. */
  fact: string;
  version: number;
  /** The first of the chain. */
  root: number;
  parent: number | null;
  is_latest: number;
  is_static: number;
  is_inference: number;
  slot: string | null;
  about: string | null;
  is_forgotten: Generated<number>;
  forget_after: number | null;
  forget_reason: string | null;
  forget_batch: string | null;
  review: string | null;
  metadata: string | null;
  document_date: number | null;
  event_dates: string | null;
  body_tokens: number;
  terms: Uint8Array;
  input_hash: string;
  created_at: number;
  updated_at: number;
  /** The date in the latest statement of it; null: none. */
  said_at: Generated<number | null>;
  /** The time at which the statement was received. */
  heard_at: Generated<number>;
}

export interface MemorySourcesTable {
  memory: number;
  doc: number;
  /** The chunk's id; empty where the whole document is the source. */
  chunk: string;
  created_at: number;
}

export interface MemoryRelationsTable {
  memory: number;
  other: number;
  kind: 'updates' | 'extends' | 'derives' | 'doubts' | 'hints';
  created_at: number;
}

/** Memories that moved to other tags and were not compared yet with those stored there. */
export interface MemoriesArrivedTable {
  memory: number;
}

/** Documents that should have memories and have none (yet). */
export interface DocumentsUnspokenTable {
  doc: number;
}

/** Documents of removed connections, hidden before they are marked as deleted. */
export interface DocumentsHiddenTable {
  doc: number;
}

export interface SettingsTable {
  key: string;
  value: string;
  updated_at: number;
}

export interface StoreTables {
  meta: MetaTable;
  tags: TagsTable;
  containers: ContainersTable;
  container_tags: ContainerTagsTable;
  documents: DocumentsTable;
  submissions: SubmissionsTable;
  document_meta: DocumentMetaTable;
  files: FilesTable;
  chunks: ChunksTable;
  spaces: SpacesTable;
  vector_blocks: VectorBlocksTable;
  exact_vectors: ExactVectorsTable;
  vector_outbox: VectorOutboxTable;
  indexed_containers: IndexedContainersTable;
  keys: KeysTable;
  memories: MemoriesTable;
  memory_sources: MemorySourcesTable;
  memory_relations: MemoryRelationsTable;
  memories_arrived: MemoriesArrivedTable;
  settings: SettingsTable;
  merges: MergesTable;
  documents_unspoken: DocumentsUnspokenTable;
  documents_hidden: DocumentsHiddenTable;
  grants: GrantsTable;
  oauth_tokens: OauthTokensTable;
  key_tokens: KeyTokensTable;
  tag_tokens: TagTokensTable;
  connections: ConnectionsTable;
  connection_secrets: ConnectionSecretsTable;
  connection_items: ConnectionItemsTable;
  connection_hooks: ConnectionHooksTable;
  connection_farewells: ConnectionFarewellsTable;
  connection_states: ConnectionStatesTable;
  hook_deliveries: HookDeliveriesTable;
  sync_runs: SyncRunsTable;
  audit: AuditTable;
  audit_head: AuditHeadTable;
  members: MembersTable;
  invites: InvitesTable;
  sessions: SessionsTable;
  mails: MailsTable;
  mail_contents: MailContentsTable;
  key_notices: KeyNoticesTable;
  usage_calls: UsageCallsTable;
  usage_tags: UsageTagsTable;
  requests: RequestsTable;
  request_units: RequestUnitsTable;
  quotas: QuotasTable;
}

export type Db = Kysely<StoreTables>;
