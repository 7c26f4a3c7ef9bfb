// The receipts of writes, by which a process learns that a write was stored whose commit got no answer.

export const postgresWriteReceipts = `
create table write_receipts (
  writer uuid not null, n bigint not null, attempt smallint not null, at timestamptz not null default now(), primary key (writer, n)
);`;
