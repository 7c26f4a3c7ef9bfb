// Everything from add to search: the tables as SQLite has them after its migrations, in PostgreSQL's types.
//
// The large tables are partitioned from the beginning, because a partition cannot be taken out of a plain table later.
// Chunks, memories, their words and vectors are partitioned by ranges of their numbers: the number begins with that of the
// container, and container numbers are dealt out over 32 ranges, so that each range holds as many of them. Documents and
// metadata are partitioned by hash of the container. Each has one partition at first.
import { CONTAINER_SPAN } from '../../../../core/chunks/chunk-number.ts';

/** Compared byte by byte: another order would break ranges of paths, and find other texts than SQLite. */
const TEXT = 'text collate "C"';

/** The containers of a range: 32 ranges of so many fill the numbers that JavaScript can hold. */
export const CONTAINERS_OF_A_RANGE = 2 ** 20;
export const CONTAINER_RANGES = 2 ** 53 / CONTAINER_SPAN / CONTAINERS_OF_A_RANGE;

const whole = (table: string): string => `create table ${table}_all partition of ${table} for values
  from (minvalue) to (maxvalue)`;
const hashed = (table: string): string => `create table ${table}_0 partition of ${table} for values
  with (modulus 1, remainder 0)`;

const access = `
create table meta (key ${TEXT} primary key, value ${TEXT} not null);
create table settings (key ${TEXT} primary key, value ${TEXT} not null, updated_at bigint not null);

create table keys (
  id ${TEXT} primary key, hash ${TEXT} not null unique, start ${TEXT} not null, name ${TEXT} not null,
  permission ${TEXT} not null, tags ${TEXT}, enabled smallint not null, expires_at bigint, rate_max integer,
  rate_window_ms bigint, plugin ${TEXT}, created_at bigint not null, last_used_at bigint, made_by ${TEXT}
);
create table grants (
  id ${TEXT} primary key, key ${TEXT} not null, client ${TEXT} not null, client_name ${TEXT} not null,
  redirect_host ${TEXT} not null, permission ${TEXT} not null, tags ${TEXT},
  created_at bigint not null, expires_at bigint not null, last_used_at bigint
);
create table oauth_tokens (
  kind ${TEXT} not null, hash ${TEXT} not null, grant_id ${TEXT}, uid ${TEXT}, payload ${TEXT} not null,
  consumed_at bigint, expires_at bigint, primary key (kind, hash)
);
create index oauth_tokens_of_grant on oauth_tokens (grant_id) where grant_id is not null;
create index oauth_tokens_by_uid on oauth_tokens (kind, uid) where uid is not null;
create index oauth_tokens_ending on oauth_tokens (expires_at) where expires_at is not null;

create table key_tokens (
  key ${TEXT} not null, day bigint not null, input_tokens bigint not null default 0,
  output_tokens bigint not null default 0, primary key (key, day)
);
create table tag_tokens (
  tag bigint not null, day bigint not null, input_tokens bigint not null default 0,
  output_tokens bigint not null default 0, primary key (tag, day)
);`;

const containers = `
create table tags (
  n bigint primary key, tag ${TEXT} not null unique, name ${TEXT}, entity_context ${TEXT},
  created_at bigint not null, updated_at bigint not null, changes bigint not null default 0,
  memory_paths ${TEXT}, buckets ${TEXT}
);
create table merges (
  n bigint generated always as identity primary key, id ${TEXT} not null unique, sources ${TEXT} not null,
  target ${TEXT} not null, status ${TEXT} not null, moved bigint not null default 0,
  unnamed bigint not null default 0, created_at bigint not null, updated_at bigint not null
);
create index merges_unfinished on merges (n) where status <> 'completed';

create sequence container_numbers minvalue 0 start 0;
create function next_container() returns bigint language sql as $f$
  select (at % ${CONTAINER_RANGES}) * ${CONTAINERS_OF_A_RANGE} + at / ${CONTAINER_RANGES} + 1 from nextval('container_numbers') as at
$f$;
create table containers (
  n bigint primary key default next_container(), scope_key ${TEXT} not null unique,
  next_seq bigint not null default 1, documents bigint not null default 0, chunks bigint not null default 0,
  body_tokens bigint not null default 0, messages bigint not null default 0, message_tokens bigint not null default 0,
  next_memory bigint not null default 1, memories bigint not null default 0, memory_tokens bigint not null default 0
);
create table container_tags (tag bigint not null, container bigint not null, primary key (tag, container));
create index container_tags_by_container on container_tags (container, tag);`;

const documents = `
create table documents (
  n bigint generated always as identity, id ${TEXT} not null, container bigint not null, custom_id ${TEXT},
  tags ${TEXT} not null, title ${TEXT}, title_given smallint not null default 0, summary ${TEXT},
  type ${TEXT} not null, content ${TEXT}, content_hash ${TEXT} not null, url ${TEXT}, source ${TEXT}, filepath ${TEXT},
  task_type ${TEXT} not null, dreaming ${TEXT} not null, metadata ${TEXT}, step ${TEXT} not null,
  revision bigint not null, indexed_revision bigint not null default 0, attempts integer not null default 0,
  crashes integer not null default 0, due_at bigint not null, lease ${TEXT}, lease_boot ${TEXT},
  failure_code ${TEXT}, failure_message ${TEXT}, failure_retryable smallint,
  progress_done bigint, progress_total bigint, chunks bigint not null default 0,
  created_at bigint not null, updated_at bigint not null, deleted smallint not null default 0,
  moved smallint not null default 0,
  memory_state ${TEXT} not null default 'none', memory_attempts integer not null default 0,
  memory_due_at bigint not null default 0, memory_lease ${TEXT}, memory_failure_code ${TEXT},
  memory_failure_message ${TEXT}, memory_failure_retryable smallint,
  input_tokens bigint not null default 0, output_tokens bigint not null default 0,
  layout ${TEXT}, context_filter ${TEXT}, chunk_size integer, sent_by ${TEXT}, note ${TEXT}, progress_unit ${TEXT},
  heavy smallint not null default 0, facts ${TEXT}, redraw ${TEXT}, redraw_added bigint not null default 0,
  redraw_removed bigint not null default 0, shown_title ${TEXT}, title_origin ${TEXT}, summary_origin ${TEXT},
  primary key (n, container)
) partition by hash (container);
${hashed('documents')};
alter table documents_0 set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_limit = 2000);
create unique index documents_by_id on documents (id, container);
create unique index documents_by_custom_id on documents (custom_id, container)
  where custom_id is not null and deleted = 0;
create index documents_by_created on documents (container, created_at, n) where deleted = 0;
create index documents_by_updated on documents (container, updated_at, n) where deleted = 0;
create index documents_all_by_created on documents (created_at, n) where deleted = 0;
create index documents_all_by_updated on documents (updated_at, n) where deleted = 0;
create index documents_by_path on documents (filepath) where deleted = 0 and filepath is not null;
create index documents_waiting on documents (heavy, coalesce(sent_by, '-'), container, due_at, n)
  where lease is null and deleted = 0 and step not in ('done', 'failed');
create index documents_suspect on documents (due_at)
  where lease is null and deleted = 0 and step not in ('done', 'failed') and crashes >= 2;
create index documents_leased on documents (lease_boot) where lease is not null;
create index documents_unfinished on documents (step, container) where deleted = 0 and step <> 'done';
create index documents_deleted on documents (n) where deleted = 1;
create index documents_moved on documents (n) where moved = 1;
create index documents_remembering on documents (n) where memory_lease is not null;
create index documents_to_remember on documents (container, n) where deleted = 0 and memory_state = 'waiting';
create index documents_instant on documents (memory_due_at, n)
  where deleted = 0 and memory_state = 'waiting' and dreaming = 'instant';
create index documents_with_failure on documents (failure_code) where deleted = 0 and failure_code is not null;
create index documents_redrawn on documents (redraw, container) where redraw is not null;
create index documents_without_outline on documents (n)
  where deleted = 0 and title_origin is null and step in ('done', 'failed');

create table submissions (
  n bigint generated always as identity primary key, doc bigint not null, revision bigint not null,
  mode ${TEXT} not null, content ${TEXT}, hash ${TEXT} not null, decision ${TEXT}, created_at bigint not null,
  left_out ${TEXT}, facts ${TEXT}, placed smallint not null default 0
);
create index submissions_by_document on submissions (doc, n);
create index submissions_left_out on submissions (doc, n) where left_out is not null;
create index submissions_with_facts on submissions (doc, n) where facts is not null;

create table document_meta (
  key ${TEXT} not null, container bigint not null, type ${TEXT} not null, text ${TEXT} not null,
  folded ${TEXT} not null, number double precision, doc bigint not null
) partition by hash (container);
${hashed('document_meta')};
-- A value may be longer than an index takes, so its beginning is indexed.
create index document_meta_by_value on document_meta (key, container, left(folded, 200));
create index document_meta_by_number on document_meta (key, container, number) where number is not null;
create index document_meta_by_document on document_meta (doc, key);

create table files (
  key ${TEXT} primary key, doc bigint, name ${TEXT} not null, mime_type ${TEXT}, file_type ${TEXT},
  bytes bigint not null, sha256 ${TEXT} not null, created_at bigint not null
);
create unique index files_by_document on files (doc) where doc is not null;
create index files_to_erase on files (key) where doc is null;

create table thread_places (
  doc bigint primary key, container bigint not null, thread ${TEXT} not null,
  number double precision, said double precision, arrived double precision not null, messages bigint not null default 0,
  at double precision not null generated always as (coalesce(said, number, arrived)) stored,
  rank double precision not null generated always as (coalesce(number, 0)) stored
);
create index thread_places_in_order on thread_places (container, thread, at, rank, doc, messages)
  where messages > 0;

create table documents_unspoken (doc bigint primary key);`;

const units = `
create table chunks (
  n bigint primary key, id ${TEXT} not null, doc bigint not null, position bigint not null, part bigint not null,
  flags bigint not null, title ${TEXT}, speaker ${TEXT}, role ${TEXT}, date bigint, content ${TEXT} not null,
  metadata ${TEXT}, body_tokens bigint not null, message_tokens bigint not null, terms bytea not null,
  input_hash ${TEXT} not null, created_at bigint not null, read_for_memories smallint not null default 0
) partition by range (n);
${whole('chunks')};
create index chunks_by_document on chunks (doc, position, part);
create index chunks_unread on chunks (doc, n) where read_for_memories = 0;

create table memories (
  n bigint primary key, id ${TEXT} not null, container bigint not null, memory ${TEXT} not null,
  fact ${TEXT} not null, version bigint not null, root bigint not null, parent bigint,
  is_latest smallint not null, is_static smallint not null, is_inference smallint not null, slot ${TEXT}, about ${TEXT},
  is_forgotten smallint not null default 0, forget_after bigint, forget_reason ${TEXT}, forget_batch ${TEXT},
  review ${TEXT}, metadata ${TEXT}, document_date bigint, event_dates ${TEXT}, body_tokens bigint not null,
  terms bytea not null, input_hash ${TEXT} not null, created_at bigint not null, updated_at bigint not null,
  said_at bigint, heard_at bigint not null default 0
) partition by range (n);
${whole('memories')};
create index memories_by_id on memories (id);
create index memories_latest on memories (container, updated_at, n) where is_latest = 1;
create index memories_by_fact on memories (container, fact) where is_latest = 1;
create index memories_by_slot on memories (container, slot) where is_latest = 1 and slot is not null;
create index memories_by_about on memories (container, about) where is_latest = 1 and about is not null;
create index memories_by_root on memories (root, version);
create index memories_by_parent on memories (parent) where parent is not null;
create index memories_forgotten_in_batch on memories (forget_batch) where forget_batch is not null;

create table memory_sources (
  memory bigint not null, doc bigint not null, chunk ${TEXT} not null, created_at bigint not null,
  primary key (memory, doc, chunk)
);
create index memory_sources_by_document on memory_sources (doc, chunk, memory);
create table memory_relations (
  memory bigint not null, other bigint not null, kind ${TEXT} not null, created_at bigint not null,
  primary key (memory, other)
);
create index memory_relations_by_other on memory_relations (other, memory);
create table memories_arrived (memory bigint primary key);`;

/** With the usual limit of 4 MB a bulk import leaves a list of pending words that every query reads from end to end. */
const wordTable = (table: string): string => `
create table ${table} (n bigint primary key, words tsvector not null) partition by range (n);
${whole(table)};
create index ${table}_words on ${table} using gin (words) with (gin_pending_list_limit = 64);`;

const vectors = `
create table spaces (
  id bigint generated always as identity primary key, embedder ${TEXT} not null, model ${TEXT} not null,
  dimensions integer not null, state ${TEXT} not null, calibration ${TEXT}, vectors bigint not null default 0,
  created_at bigint not null
);
create table vector_rows (
  space bigint not null, n bigint not null, data bytea not null, primary key (space, n)
) partition by range (n);
${whole('vector_rows')};
-- Bytes that cannot be compressed are stored as they are, in the row.
alter table vector_rows alter column data set storage plain;
create table exact_vectors (space bigint not null, n bigint not null, data bytea not null, primary key (space, n));
alter table exact_vectors alter column data set storage external;
create table vector_outbox (
  seq bigint generated always as identity primary key, space bigint not null, n bigint not null, op ${TEXT} not null
);`;

export const postgresTables = [
  access,
  containers,
  documents,
  units,
  wordTable('chunk_words'),
  wordTable('memory_words'),
  vectors,
].join('\n');
