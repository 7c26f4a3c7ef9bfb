// The containers that the vector index holds, where small ones are left out of it.

export const indexedContainers = `
alter table spaces add column index_from integer not null default 0;
alter table spaces add column indexed integer not null default 0;

create table indexed_containers (
  space integer not null, container integer not null, upto integer not null, primary key (space, container)
) strict, without rowid;
`;
