// The count of changed and removed vectors of a container in a space, for caches in memory. New ones have higher
// numbers than all before, so they are not counted.
import { REQUEST_ROLE } from './003-requests.ts';

export const postgresVectorChanges = `
create table vector_changes (
  space bigint not null, container bigint not null, changes bigint not null, primary key (space, container)
) with (fillfactor = 70);
grant select on public.vector_changes to ${REQUEST_ROLE};`;
