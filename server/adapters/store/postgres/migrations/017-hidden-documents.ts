// Documents that were hidden together with their connection and are not marked as deleted yet.
import { REQUEST_ROLE } from './003-requests.ts';

export const postgresHiddenDocuments = `
create table documents_hidden (doc bigint primary key);
grant select on public.documents_hidden to ${REQUEST_ROLE};
drop index documents_of_connection;
create index documents_of_connection on documents (connection, container) where connection is not null and deleted = 0;
create index connection_items_with_document on connection_items (connection, doc) where doc is not null;

-- A hidden document is marked at once when another one takes its name, which is unique among those that are not deleted.
create function free_hidden_name() returns trigger language plpgsql as $f$ begin
  if exists (select 1 from documents_hidden) then
    update documents set deleted = 1 where custom_id = new.custom_id and container = new.container and deleted = 0
      and n in (select doc from documents_hidden) and n <> new.n;
  end if;
  return new;
end $f$;
create trigger documents_take_hidden_name before insert or update of custom_id, container on documents
  for each row when (new.custom_id is not null) execute function free_hidden_name();

insert into documents_hidden (doc) select n from documents where deleted = 1
  and connection in (select id from connections where state = 'removing' and keeps_documents = 0);
`;
