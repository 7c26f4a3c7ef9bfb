// Reads of requests: a role of its own, which sees rows of a scope only through views that stand in the place of the tables.
// Their predicate reads a setting of the transaction; without the setting they are empty. Row-level security would keep the
// keyword index from being used, because its operator may not run below a policy.
import { CONTAINER_SPAN } from '../../../../core/chunks/chunk-number.ts';

export const REQUEST_ROLE = 'memoir_requests';
/** The schema of the views, which the role looks into first. */
export const REQUEST_SCHEMA = 'memoir_requests';
/** The tags of the scope as JSON, or `null` for all; set in each transaction. */
export const READS_SETTING = 'memoir.reads';

/** A role belongs to the whole server: another database of it, or its administrator, may have made the role already. */
const role = `
do $f$ begin
  if not exists (select 1 from pg_roles where rolname = '${REQUEST_ROLE}') then
    create role ${REQUEST_ROLE} nologin;
  end if;
exception when duplicate_object or unique_violation then null;
end $f$;
do $f$ begin
  if not pg_has_role(current_user, '${REQUEST_ROLE}', 'member') then
    execute format('grant ${REQUEST_ROLE} to %I', current_user);
  end if;
end $f$;
create schema ${REQUEST_SCHEMA};
grant usage on schema ${REQUEST_SCHEMA} to ${REQUEST_ROLE};`;

const reads = `nullif(current_setting('${READS_SETTING}', true), '')::json`;

const functions = `
create function ${REQUEST_SCHEMA}.reads_everything() returns boolean language sql stable as $f$
  select coalesce(json_typeof(${reads}) = 'null', false)
$f$;
create function ${REQUEST_SCHEMA}.reached() returns setof bigint language sql stable as $f$
  select container_tags.container from public.container_tags
    inner join public.tags on tags.n = container_tags.tag
    where tags.tag in (select json_array_elements_text(
      case when json_typeof(${reads}) = 'array' then ${reads} else '[]'::json end))
$f$;`;

/** The owner of the view reads the table, and the role reads the view. */
const view = (table: string, container: string): string => `
create view ${REQUEST_SCHEMA}.${table} as select * from public.${table}
  where (select ${REQUEST_SCHEMA}.reads_everything())
    or ${container} in (select ${REQUEST_SCHEMA}.reached());
grant select on ${REQUEST_SCHEMA}.${table} to ${REQUEST_ROLE};`;

const OF_DOCUMENT = (table: string): string =>
  `(select container from public.documents where documents.n = ${table}.doc)`;
const OF_NUMBER = `n / ${CONTAINER_SPAN}`;

/** Moved documents keep the numbers of their former container until they are indexed again. */
const views = [
  view('documents', 'container'),
  view('memories', 'container'),
  view('document_meta', 'container'),
  view('thread_places', 'container'),
  view('chunks', OF_DOCUMENT('chunks')),
  view('submissions', OF_DOCUMENT('submissions')),
  view('files', OF_DOCUMENT('files')),
  view('chunk_words', OF_NUMBER),
  view('memory_words', OF_NUMBER),
];

/** Numbers and names: nothing in them is the content of a scope. */
const OPEN_TABLES = [
  ...['meta', 'settings', 'keys', 'grants', 'oauth_tokens', 'key_tokens', 'tag_tokens', 'tags', 'merges'],
  ...['containers', 'container_tags', 'memory_sources', 'memory_relations', 'documents_unspoken'],
  ...['spaces', 'vector_rows', 'exact_vectors', 'vector_outbox'],
];

const grants = `grant select on ${OPEN_TABLES.map((table) => `public.${table}`).join(', ')} to ${REQUEST_ROLE};`;

export const postgresRequests = [role, functions, ...views, grants].join('\n');
