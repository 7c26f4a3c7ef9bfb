// The key that made a key. Keys that exist already keep none, and so stand on their own.

export const keyMakers = `
alter table keys add column made_by text;
`;
