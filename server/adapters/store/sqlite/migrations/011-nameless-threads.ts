// Short conversations outside all threads get places too: every document is looked at once more.

export const namelessThreads = `
insert or replace into meta (key, value) select 'threads_unknown', '0' where exists (select n from documents);
`;
