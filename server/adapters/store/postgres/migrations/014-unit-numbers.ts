// The next numbers of chunks and memories, apart from the counts of their container: a worker holds them for the time of its
// commit. A container without a row here begins with the numbers in `containers`.
export const postgresUnitNumbers = `
create table unit_numbers (
  container bigint primary key, next_seq bigint not null, next_memory bigint not null
);
alter table unit_numbers set (fillfactor = 70);
alter table containers set (fillfactor = 70);
alter table spaces set (fillfactor = 70);`;
