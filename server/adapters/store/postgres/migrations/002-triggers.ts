// Triggers that follow every write, so that no statement can forget them: a count of changes for each tag, the list of
// documents without memories, and the places of documents in threads. Each runs once for a statement.

/** Counts a change for the tags of these containers, in order, so that two transactions never wait for each other. */
const touchTags = `
create function touch_tags(touched bigint[]) returns void language sql as $f$
  with ordered as (
    select n from tags where n in (select tag from container_tags where container = any (touched)) order by n
    for no key update)
  update tags set changes = changes + 1 from ordered where tags.n = ordered.n
$f$;`;

type Event = 'insert' | 'update' | 'delete';

const ROWS: Readonly<Record<Event, string>> = {
  insert: 'new table as new_rows',
  update: 'old table as old_rows new table as new_rows',
  delete: 'old table as old_rows',
};

/** One function and its trigger. */
const after = (event: Event, table: string, body: string): string => `
create function ${table}_after_${event}() returns trigger language plpgsql as $f$ begin
  ${body}
  return null;
end $f$;
create trigger ${table}_after_${event} after ${event} on ${table} referencing ${ROWS[event]}
  for each statement execute function ${table}_after_${event}();`;

const containersOf = (rows: string): string => `array(select distinct container from ${rows})`;
const bothContainers = `array(select container from old_rows union select container from new_rows)`;
const containersOfMemories = (rows: string): string =>
  `array(select distinct container from memories where n in (select memory from ${rows}))`;

const memories = [
  after('insert', 'memories', `perform touch_tags(${containersOf('new_rows')});`),
  after('update', 'memories', `perform touch_tags(${bothContainers});`),
  after('delete', 'memories', `perform touch_tags(${containersOf('old_rows')});`),
];

const addUnspoken = (documents: string): string => `insert into documents_unspoken (doc)
    select n from documents where n in (${documents}) and task_type <> 'superrag'
      and not exists (select 1 from memory_sources where memory_sources.doc = documents.n)
    on conflict do nothing;`;

const sources = [
  after(
    'insert',
    'memory_sources',
    `perform touch_tags(${containersOfMemories('new_rows')});
  delete from documents_unspoken where doc in (select doc from new_rows);`,
  ),
  after(
    'delete',
    'memory_sources',
    `perform touch_tags(${containersOfMemories('old_rows')});
  ${addUnspoken('select doc from old_rows')}`,
  ),
];

const documents = [
  after(
    'insert',
    'documents',
    `insert into documents_unspoken (doc) select n from new_rows where task_type <> 'superrag' on conflict do nothing;`,
  ),
  after(
    'delete',
    'documents',
    `delete from documents_unspoken where doc in (select n from old_rows);
  delete from thread_places where doc in (select n from old_rows);`,
  ),
  // A claim or a report of progress changes none of these.
  after(
    'update',
    'documents',
    `if not exists (select 1 from old_rows inner join new_rows using (n)
    where (old_rows.deleted, old_rows.container, old_rows.metadata, old_rows.task_type)
      is distinct from (new_rows.deleted, new_rows.container, new_rows.metadata, new_rows.task_type))
  then return null; end if;
  perform touch_tags(array(
    select unnest(array[old_rows.container, new_rows.container]) from old_rows inner join new_rows using (n)
    where (old_rows.deleted, old_rows.container, old_rows.metadata)
        is distinct from (new_rows.deleted, new_rows.container, new_rows.metadata)
      and exists (select 1 from memory_sources where memory_sources.doc = new_rows.n)));
  delete from thread_places where doc in (select n from new_rows where deleted = 1);
  update thread_places set container = new_rows.container from new_rows
    where thread_places.doc = new_rows.n and thread_places.container <> new_rows.container;
  delete from documents_unspoken where doc in (select n from new_rows where task_type = 'superrag');
  ${addUnspoken(`select new_rows.n from old_rows inner join new_rows using (n)
      where old_rows.task_type = 'superrag' and new_rows.task_type <> 'superrag'`)}`,
  ),
];

const touchOfTags = (rows: string): string =>
  `update tags set changes = changes + 1 where n in (select tag from ${rows});`;

const containerTags = [
  after('insert', 'container_tags', touchOfTags('new_rows')),
  after('delete', 'container_tags', touchOfTags('old_rows')),
];

export const postgresTriggers = [touchTags, ...memories, ...sources, ...documents, ...containerTags].join(
  '\n',
);
