// Quotas of keys, members and container tags.

export const quotas = `
create table quotas (
  holder text not null, subject text not null, quota text not null, most integer not null,
  primary key (holder, subject, quota)
) strict, without rowid;
`;
