// Triggers that follow every write, so that no statement can forget them: a count of changes for each tag, and the list of
// documents without memories.

/** Counts a change of memories for the tags of a container. */
const touch = (container: string) => `
  update tags set changes = changes + 1
    where n in (select tag from container_tags where container_tags.container = ${container});`;

const tagsOfMemoryRow = (memory: string) => `(select container from memories where memories.n = ${memory})`;

export const changes = `
alter table tags add column changes integer not null default 0;

create trigger memory_added after insert on memories begin ${touch('new.container')} end;
create trigger memory_changed after update on memories begin ${touch('new.container')} end;
create trigger memory_moved after update of container on memories when new.container <> old.container
  begin ${touch('old.container')} end;
create trigger memory_erased after delete on memories begin ${touch('old.container')} end;

create trigger memory_source_added after insert on memory_sources begin
  ${touch(tagsOfMemoryRow('new.memory'))}
  delete from documents_unspoken where doc = new.doc;
end;
create trigger memory_source_erased after delete on memory_sources begin
  ${touch(tagsOfMemoryRow('old.memory'))}
  insert or ignore into documents_unspoken (doc)
    select n from documents where n = old.doc and task_type <> 'superrag'
      and not exists (select 1 from memory_sources where memory_sources.doc = old.doc);
end;

create trigger document_with_memories_changed after update of deleted, container, metadata on documents
  when exists (select 1 from memory_sources where memory_sources.doc = new.n)
  begin ${touch('old.container')} ${touch('new.container')} end;

create trigger container_tagged after insert on container_tags
  begin update tags set changes = changes + 1 where n = new.tag; end;
create trigger container_untagged after delete on container_tags
  begin update tags set changes = changes + 1 where n = old.tag; end;

create table documents_unspoken (doc integer primary key) strict;
insert into documents_unspoken (doc) select n from documents where task_type <> 'superrag'
  and not exists (select 1 from memory_sources where memory_sources.doc = documents.n);

create trigger document_added after insert on documents when new.task_type <> 'superrag'
  begin insert into documents_unspoken (doc) values (new.n); end;
create trigger document_erased after delete on documents
  begin delete from documents_unspoken where doc = old.n; end;
create trigger document_only_searched after update of task_type on documents when new.task_type = 'superrag'
  begin delete from documents_unspoken where doc = new.n; end;
create trigger document_to_remember after update of task_type on documents
  when new.task_type <> 'superrag' and old.task_type = 'superrag'
  begin
    insert or ignore into documents_unspoken (doc) select new.n
      where not exists (select 1 from memory_sources where memory_sources.doc = new.n);
  end;
`;
