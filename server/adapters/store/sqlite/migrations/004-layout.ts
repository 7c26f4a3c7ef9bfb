// The parts of content of several kinds, such as pages and a text. Null: one part.

export const layout = `
alter table documents add column layout text;
`;
