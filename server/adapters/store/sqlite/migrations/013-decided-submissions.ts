// Decided submissions give up their content: the purger erases it in slices, from the number in this mark on.

export const decidedSubmissions = `
alter table submissions add column left_out text;
create index submissions_left_out on submissions (doc, n) where left_out is not null;

insert into meta (key, value) select 'decided_submissions', '0' where exists (select n from submissions);
`;
