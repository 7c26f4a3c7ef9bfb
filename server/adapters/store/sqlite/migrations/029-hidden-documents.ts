// Documents that were hidden together with their connection and are not marked as deleted yet.

const HIDDEN = 'n in (select doc from documents_hidden)';

/** A hidden document is marked at once when another one takes its name, which is unique among those that are not deleted. */
const freesName = (
  others: string,
) => `when new.custom_id is not null and exists (select 1 from documents_hidden)
  begin
    update documents set deleted = 1 where custom_id = new.custom_id and container = new.container and deleted = 0
      and ${HIDDEN}${others};
  end;`;

export const hiddenDocuments = `
create table documents_hidden (doc integer primary key) strict;
drop index documents_of_connection;
create index documents_of_connection on documents (connection, container) where connection is not null and deleted = 0;
create index connection_items_with_document on connection_items (connection, doc) where doc is not null;

create trigger new_document_takes_hidden_name before insert on documents ${freesName('')}
create trigger document_takes_hidden_name before update of custom_id, container on documents
  ${freesName(' and n <> new.n')}

insert into documents_hidden (doc) select n from documents where deleted = 1
  and connection in (select id from connections where state = 'removing' and keeps_documents = 0);
`;
