// Facts that a sender states with the content, as JSON: kept with the submission until they are memories of the document.
// `placed`: the passages of the submission are stored, so the facts can become memories.

export const submittedFacts = `
alter table submissions add column facts text;
alter table submissions add column placed integer not null default 0;
create index submissions_with_facts on submissions (doc, n) where facts is not null;
`;
