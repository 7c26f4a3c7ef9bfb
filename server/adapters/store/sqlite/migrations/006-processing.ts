// Processing of a document: its context filter, the size of its passages and its sender; and the tokens that language
// models used, by key and by container tag.

export const processing = `
alter table documents add column context_filter text;
alter table documents add column chunk_size integer;
alter table documents add column sent_by text;
create index documents_instant on documents (memory_due_at, n)
  where deleted = 0 and memory_state = 'waiting' and dreaming = 'instant';

create table key_tokens (
  key text not null, day integer not null,
  input_tokens integer not null default 0, output_tokens integer not null default 0,
  primary key (key, day)
) strict, without rowid;
create table tag_tokens (
  tag integer not null, day integer not null,
  input_tokens integer not null default 0, output_tokens integer not null default 0,
  primary key (tag, day)
) strict, without rowid;
`;
