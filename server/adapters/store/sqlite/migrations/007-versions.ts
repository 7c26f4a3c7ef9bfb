// The time at which each memory was said, which orders its versions; and the memories that moved to other tags just now.

export const versions = `
alter table memories add column said_at integer;
alter table memories add column heard_at integer not null default 0;
update memories set said_at = document_date, heard_at = created_at;

create table memories_arrived (memory integer primary key) strict;
`;
