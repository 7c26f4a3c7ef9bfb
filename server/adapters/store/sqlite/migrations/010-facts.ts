// Metadata that the service noted on a document itself, so that it can be removed again.

export const facts = `
alter table documents add column facts text;
`;
