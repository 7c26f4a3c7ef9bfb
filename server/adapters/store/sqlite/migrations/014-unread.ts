// Documents that were stored before memories were drawn wait to be read for them.

export const unread = `
update documents set memory_state = 'waiting'
  where memory_state = 'none' and step = 'done' and deleted = 0 and task_type = 'memory' and source is not 'memories'
    and exists (select 1 from chunks where chunks.doc = documents.n and read_for_memories = 0);
`;
