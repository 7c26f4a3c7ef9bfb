// The views of requests once more: those of chunks and memories show which transaction wrote a row last, and the planner sees
// into the containers of the scope, where it called a function before.
import { CONTAINER_SPAN } from '../../../../core/chunks/chunk-number.ts';
import { ROW_VERSION } from '../../engine/engine.ts';
import { REQUEST_SCHEMA } from './003-requests.ts';

export const viewAgain = (table: string, container: string, more = ''): string => `
create or replace view ${REQUEST_SCHEMA}.${table} as select *${more} from public.${table}
  where (select ${REQUEST_SCHEMA}.reads_everything())
    or ${container} in (select container from ${REQUEST_SCHEMA}.reached() as container);`;

const OF_DOCUMENT = (table: string): string =>
  `(select container from public.documents where documents.n = ${table}.doc)`;
export const OF_NUMBER = `n / ${CONTAINER_SPAN}`;
export const VERSION_COLUMN = `, xmin::text::bigint as ${ROW_VERSION}`;

export const postgresUnitVersions = [
  viewAgain('documents', 'container'),
  viewAgain('memories', 'container', VERSION_COLUMN),
  viewAgain('document_meta', 'container'),
  viewAgain('thread_places', 'container'),
  viewAgain('chunks', OF_DOCUMENT('chunks'), VERSION_COLUMN),
  viewAgain('submissions', OF_DOCUMENT('submissions')),
  viewAgain('files', OF_DOCUMENT('files')),
  viewAgain('chunk_words', OF_NUMBER),
  viewAgain('memory_words', OF_NUMBER),
].join('\n');
