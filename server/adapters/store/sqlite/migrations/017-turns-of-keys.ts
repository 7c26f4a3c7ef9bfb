// Documents that wait are found by the key that sent them first, so that keys take turns.

export const turnsOfKeys = `
drop index documents_waiting;
create index documents_waiting on documents (heavy, coalesce(sent_by, '-'), container, due_at, n)
  where lease is null and deleted = 0 and step not in ('done', 'failed');
`;
