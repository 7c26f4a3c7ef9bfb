// Documents that are read again for memories, after the reader changed: how far each is, and what the last redraw changed.

export const redraw = `
alter table documents add column redraw text;
alter table documents add column redraw_added integer not null default 0;
alter table documents add column redraw_removed integer not null default 0;
create index documents_redrawn on documents (redraw, container) where redraw is not null;
`;
