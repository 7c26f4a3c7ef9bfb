// Uploaded files of documents, and a mark for documents that must be read outside of the queue before they are cut.

export const files = `
create table files (
  key text primary key, doc integer, name text not null, mime_type text, file_type text, bytes integer not null,
  sha256 text not null, created_at integer not null
) strict, without rowid;
create unique index files_by_document on files (doc) where doc is not null;
create index files_to_erase on files (key) where doc is null;

alter table documents add column note text;
alter table documents add column progress_unit text;
alter table documents add column heavy integer not null default 0;
update documents set heavy = 1 where step not in ('done', 'failed');

drop index documents_waiting;
create index documents_waiting on documents (heavy, container, due_at, n)
  where lease is null and deleted = 0 and step not in ('done', 'failed');
`;
