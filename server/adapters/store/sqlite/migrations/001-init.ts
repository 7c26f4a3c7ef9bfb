// Documents, chunks, vectors, keys: everything from add to search.

export const init = `
create table meta (key text primary key, value text not null) strict, without rowid;

create table tags (
  n integer primary key, tag text not null unique, name text, entity_context text,
  created_at integer not null, updated_at integer not null
) strict;

create table containers (
  n integer primary key, scope_key text not null unique, next_seq integer not null default 1,
  documents integer not null default 0, chunks integer not null default 0,
  body_tokens integer not null default 0, messages integer not null default 0,
  message_tokens integer not null default 0
) strict;
create table container_tags (
  tag integer not null, container integer not null, primary key (tag, container)
) strict, without rowid;
create index container_tags_by_container on container_tags (container, tag);

create table documents (
  n integer primary key autoincrement, id text not null unique, container integer not null, custom_id text,
  tags text not null, title text, title_given integer not null default 0,
  summary text, type text not null, content text, content_hash text not null, url text, source text,
  filepath text, task_type text not null, dreaming text not null, metadata text,
  step text not null, revision integer not null, indexed_revision integer not null default 0,
  attempts integer not null default 0, crashes integer not null default 0, due_at integer not null,
  lease text, lease_boot text,
  failure_code text, failure_message text, failure_retryable integer,
  progress_done integer, progress_total integer, chunks integer not null default 0,
  created_at integer not null, updated_at integer not null, deleted integer not null default 0,
  moved integer not null default 0
) strict;
create unique index documents_by_custom_id on documents (custom_id, container)
  where custom_id is not null and deleted = 0;
create index documents_by_created on documents (container, created_at, n) where deleted = 0;
create index documents_by_updated on documents (container, updated_at, n) where deleted = 0;
create index documents_all_by_created on documents (created_at, n) where deleted = 0;
create index documents_all_by_updated on documents (updated_at, n) where deleted = 0;
create index documents_by_path on documents (filepath) where deleted = 0 and filepath is not null;
create index documents_waiting on documents (container, due_at, n)
  where lease is null and deleted = 0 and step not in ('done', 'failed');
create index documents_suspect on documents (due_at)
  where lease is null and deleted = 0 and step not in ('done', 'failed') and crashes >= 2;
create index documents_leased on documents (lease_boot) where lease is not null;
create index documents_unfinished on documents (step, container) where deleted = 0 and step <> 'done';
create index documents_deleted on documents (n) where deleted = 1;
create index documents_moved on documents (n) where moved = 1;

create table submissions (
  n integer primary key autoincrement, doc integer not null, revision integer not null, mode text not null,
  content text, hash text not null, decision text, created_at integer not null
) strict;
create index submissions_by_document on submissions (doc, n);

create table document_meta (
  key text not null, container integer not null, type text not null, text text not null, folded text not null,
  number real, doc integer not null, primary key (key, container, folded, type, doc)
) strict, without rowid;
create index document_meta_by_number on document_meta (key, container, number) where number is not null;
create index document_meta_by_document on document_meta (doc, key);

create table chunks (
  n integer primary key, id text not null, doc integer not null, position integer not null, part integer not null,
  flags integer not null, title text, speaker text, role text, date integer, content text not null, metadata text,
  body_tokens integer not null, message_tokens integer not null, terms blob not null, input_hash text not null,
  created_at integer not null
) strict;
create index chunks_by_document on chunks (doc, position, part);

create virtual table chunk_words using fts5 (
  tag, body, extra, content = '', contentless_delete = 1, detail = column, tokenize = 'ascii'
);

create table spaces (
  id integer primary key, embedder text not null, model text not null, dimensions integer not null,
  state text not null, calibration text, vectors integer not null default 0, created_at integer not null
) strict;
create table vector_blocks (
  space integer not null, block integer not null, data blob not null
) strict;
create unique index vector_blocks_by_block on vector_blocks (space, block);
create table exact_vectors (
  space integer not null, n integer not null, data blob not null
) strict;
create unique index exact_vectors_by_chunk on exact_vectors (space, n);
create table vector_outbox (
  seq integer primary key autoincrement, space integer not null, n integer not null, op text not null
) strict;

create table keys (
  id text primary key, hash text not null unique, start text not null, name text not null, permission text not null,
  tags text, enabled integer not null, expires_at integer, rate_max integer, rate_window_ms integer, plugin text,
  created_at integer not null, last_used_at integer
) strict, without rowid;
`;
