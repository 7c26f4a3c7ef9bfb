// When each memory was said, by which its versions are in order; and which ones came under other tags just now.

export const versions = `
alter table memories add column said_at integer;
alter table memories add column heard_at integer not null default 0;
update memories set said_at = document_date, heard_at = created_at;

create table memories_arrived (memory integer primary key) strict;
`;
