// Memories as rows of their own: versions, relations, sources, forgetting; and how far each document was read for them.

export const memories = `
create table memories (
  n integer primary key, id text not null unique, container integer not null, memory text not null,
  fact text not null, version integer not null, root integer not null, parent integer,
  is_latest integer not null, is_static integer not null, is_inference integer not null,
  slot text, about text,
  is_forgotten integer not null default 0, forget_after integer, forget_reason text, forget_batch text, review text,
  metadata text, document_date integer, event_dates text,
  body_tokens integer not null, terms blob not null, input_hash text not null,
  created_at integer not null, updated_at integer not null
) strict;
create index memories_latest on memories (container, updated_at, n) where is_latest = 1;
create index memories_by_fact on memories (container, fact) where is_latest = 1;
create index memories_by_slot on memories (container, slot) where is_latest = 1 and slot is not null;
create index memories_by_about on memories (container, about) where is_latest = 1 and about is not null;
create index memories_by_root on memories (root, version);
create index memories_by_parent on memories (parent) where parent is not null;
create index memories_forgotten_in_batch on memories (forget_batch) where forget_batch is not null;

create virtual table memory_words using fts5 (
  tag, body, extra, content = '', contentless_delete = 1, detail = column, tokenize = 'ascii'
);

create table memory_sources (
  memory integer not null, doc integer not null, chunk text not null, created_at integer not null,
  primary key (memory, doc, chunk)
) strict, without rowid;
create index memory_sources_by_document on memory_sources (doc, chunk, memory);

create table memory_relations (
  memory integer not null, other integer not null, kind text not null, created_at integer not null,
  primary key (memory, other)
) strict, without rowid;
create index memory_relations_by_other on memory_relations (other, memory);

alter table containers add column next_memory integer not null default 1;
alter table containers add column memories integer not null default 0;
alter table containers add column memory_tokens integer not null default 0;

alter table chunks add column read_for_memories integer not null default 0;
create index chunks_unread on chunks (doc, n) where read_for_memories = 0;

alter table documents add column memory_state text not null default 'none';
alter table documents add column memory_attempts integer not null default 0;
alter table documents add column memory_due_at integer not null default 0;
alter table documents add column memory_lease text;
alter table documents add column memory_failure_code text;
alter table documents add column memory_failure_message text;
alter table documents add column memory_failure_retryable integer;
alter table documents add column input_tokens integer not null default 0;
alter table documents add column output_tokens integer not null default 0;
create index documents_remembering on documents (n) where memory_lease is not null;
create index documents_to_remember on documents (container, n) where deleted = 0 and memory_state = 'waiting';

create table settings (key text primary key, value text not null, updated_at integer not null) strict, without rowid;
`;
