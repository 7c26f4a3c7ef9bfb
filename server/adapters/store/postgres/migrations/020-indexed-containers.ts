// The containers that the vector index holds, where small ones are left out of it.
import { REQUEST_ROLE } from './003-requests.ts';

export const postgresIndexedContainers = `
alter table spaces add column index_from bigint not null default 0, add column indexed bigint not null default 0;

create table indexed_containers (
  space bigint not null, container bigint not null, upto bigint not null, primary key (space, container)
);
grant select on public.indexed_containers to ${REQUEST_ROLE};`;
