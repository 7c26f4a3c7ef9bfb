// Of what a content consists that is not all of one kind: pages beside a text. Null: it is one part.

export const layout = `
alter table documents add column layout text;
`;
