// Quotas of keys, members and container tags.
import { REQUEST_ROLE } from './003-requests.ts';

const TEXT = 'text collate "C"';

export const postgresQuotas = `
create table quotas (
  holder ${TEXT} not null, subject ${TEXT} not null, quota ${TEXT} not null, most bigint not null,
  primary key (holder, subject, quota)
);
grant select on public.quotas to ${REQUEST_ROLE};
`;
