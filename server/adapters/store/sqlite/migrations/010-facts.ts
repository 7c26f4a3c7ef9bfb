// What the service noted in a document's metadata by itself, so that it can take it back.

export const facts = `
alter table documents add column facts text;
`;
