// The title that a document is shown with, which is not searched, and where it and the summary come from. Documents that were
// stored before are found by the index until they have both.

export const outlines = `
alter table documents add column shown_title text;
alter table documents add column title_origin text;
alter table documents add column summary_origin text;
create index documents_without_outline on documents (n) where deleted = 0 and title_origin is null and step in ('done', 'failed');
`;
