// The place of a document among the messages of its thread. Documents outside all threads have no row.

export const threads = `
create table thread_places (
  doc integer not null primary key, container integer not null, thread text not null,
  number real, said real, arrived real not null, messages integer not null default 0,
  at real not null generated always as (coalesce(said, number, arrived)) stored,
  rank real not null generated always as (coalesce(number, 0)) stored
) strict, without rowid;
create index thread_places_in_order on thread_places (container, thread, at, rank, doc, messages)
  where messages > 0;

create trigger document_leaves_thread after update of deleted on documents when new.deleted = 1
  begin delete from thread_places where doc = new.n; end;
create trigger document_gone_from_thread after delete on documents
  begin delete from thread_places where doc = old.n; end;
create trigger document_takes_its_place_along after update of container on documents
  when new.container <> old.container
  begin update thread_places set container = new.container where doc = new.n; end;

insert into meta (key, value) select 'threads_unknown', '0' where exists (select n from documents);
`;
