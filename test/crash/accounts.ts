// Checks of the database when the server is idle: every row has the rows that it refers to, and sums are right.
import { CONTAINER_SPAN, MEMORY_OFFSET } from '../../server/core/chunks/chunk-number.ts';
import { until } from './api.ts';
import type { Folder } from './server.ts';
import { reading } from './sql.ts';

/** Chunks and memories are numbered within their container. */
const containerIn = (n: string): string => `${n} / ${CONTAINER_SPAN}`;

const QUIET_MS = 60_000;

/** Documents that fail whenever they are processed. */
const UNREADABLE = "url glob 'https://pages.internal/*'";

/** The work in the background, as statements that count it. */
const UNDER_WAY = {
  unread: "select count(*) as n from documents where deleted = 0 and step not in ('done', 'failed')",
  remembering: "select count(*) as n from documents where deleted = 0 and memory_state = 'waiting'",
  erasing: 'select count(*) as n from documents where deleted = 1',
  merging: "select count(*) as n from merges where status <> 'completed'",
  retrying: `select count(*) as n from documents where deleted = 0 and step <> 'failed' and ${UNREADABLE}`,
  reindexing: "select count(*) as n from spaces where state = 'filling'",
} as const;

export type UnderWay = Record<keyof typeof UNDER_WAY, number>;

export const underWay = (folder: Folder): UnderWay =>
  reading(
    folder,
    (query) =>
      Object.fromEntries(
        Object.entries(UNDER_WAY).map(([name, statement]) => [name, Number(query(statement)[0]?.n)]),
      ) as UnderWay,
  );

export const settle = async (folder: Folder, waited: (work: string, ms: number) => void): Promise<void> => {
  let state: UnderWay | null = null;
  const began = performance.now();
  await until('nothing is under way', QUIET_MS, async () => {
    state = underWay(folder);
    const left = Object.entries(state).filter(([, count]) => count > 0);
    for (const [work] of left) waited(work, Math.round(performance.now() - began));
    return left.length === 0;
  }).catch((cause: unknown) => {
    throw new Error(`Work is stuck: ${JSON.stringify(state)}`, { cause });
  });
};

const sumsOf = (what: string, from: string, column: string, sum: string): [string, string] => [
  `The ${what} of a container are not what it counts`,
  `select containers.n, containers.${column} as counted, coalesce(held.held, 0) as held from containers
     left join (${from.replace('SUM', sum)}) as held on held.container = containers.n
     where containers.${column} <> coalesce(held.held, 0)`,
];

const ofDocuments = `select container, SUM as held from documents where deleted = 0 group by container`;
const ofChunks = `select ${containerIn('n')} as container, SUM as held from chunks group by 1`;
const ofMemories = 'select container, SUM as held from memories group by container';

/** Each statement finds invalid rows. */
const WRONGS: readonly (readonly [string, string])[] = [
  [
    'A document failed',
    `select id, step, failure_message from documents where step = 'failed' and not (${UNREADABLE})`,
  ],
  [
    'Memories could not be drawn',
    "select id, memory_failure_message from documents where memory_state = 'failed'",
  ],
  [
    'A chunk was not read for memories, and nobody is going to',
    `select chunks.n, documents.id from chunks inner join documents on documents.n = chunks.doc
       where read_for_memories = 0 and task_type <> 'superrag' and source is not 'memories'`,
  ],
  // --- chains
  [
    'A chain of versions has not exactly one latest',
    'select root, sum(is_latest) as latest from memories group by root having sum(is_latest) <> 1',
  ],
  [
    'The latest version is not the last',
    `select n, memory from memories where is_latest = 1
       and exists (select 1 from memories as later where later.root = memories.root and later.version > memories.version)`,
  ],
  [
    'A version stands twice in a chain',
    'select root, version from memories group by root, version having count(*) > 1',
  ],
  [
    'The first of a chain is not its root',
    'select n, root, parent from memories where (parent is null) <> (root = n)',
  ],
  [
    'The version before is missing or is another one',
    `select n, root, parent from memories where parent is not null and parent is not
       (select n from memories as before where before.root = memories.root and before.version < memories.version
          order by before.version desc limit 1)`,
  ],
  [
    'A memory is stored twice',
    `select memory, container, count(*) as times from memories where is_latest = 1
       group by container, fact having count(*) > 1`,
  ],
  // --- sources and relations
  [
    'A memory has no document that supports it',
    'select n, memory from memories where not exists (select 1 from memory_sources where memory = memories.n)',
  ],
  [
    'A source is no document',
    'select memory, doc from memory_sources where doc not in (select n from documents where deleted = 0)',
  ],
  [
    'A source supports nothing',
    'select memory, doc from memory_sources where memory not in (select n from memories)',
  ],
  [
    'A source names a chunk that is not there',
    `select memory, doc, chunk from memory_sources where chunk <> ''
       and not exists (select 1 from chunks where chunks.doc = memory_sources.doc and chunks.id = memory_sources.chunk)`,
  ],
  [
    'A memory is in another container than what supports it',
    `select memories.n, memory_sources.doc from memory_sources inner join memories on memories.n = memory_sources.memory
       inner join documents on documents.n = memory_sources.doc where documents.container <> memories.container`,
  ],
  [
    'A relation leads nowhere',
    `select memory, other from memory_relations
       where memory not in (select n from memories) or other not in (select n from memories)`,
  ],
  // --- numbers
  [
    'A chunk is of no document',
    'select n, doc from chunks where doc not in (select n from documents where deleted = 0)',
  ],
  [
    'A chunk is numbered for another container than its document is in',
    `select chunks.n, documents.container from chunks inner join documents on documents.n = chunks.doc
       where ${containerIn('chunks.n')} <> documents.container`,
  ],
  [
    'A memory is numbered for another container',
    `select n, container from memories where ${containerIn('n')} <> container or n % ${CONTAINER_SPAN} < ${MEMORY_OFFSET}`,
  ],
  sumsOf('documents', ofDocuments, 'documents', 'count(*)'),
  sumsOf('chunks', ofChunks, 'chunks', 'count(*)'),
  sumsOf('words of chunks', ofChunks, 'body_tokens', 'sum(body_tokens)'),
  sumsOf('memories', ofMemories, 'memories', 'count(*)'),
  sumsOf('words of memories', ofMemories, 'memory_tokens', 'sum(body_tokens)'),
  // --- indexes and other derived rows
  [
    'The keyword index and the chunks differ',
    `select rowid as n from chunk_words where rowid not in (select n from chunks)
       union all select n from chunks where n not in (select rowid from chunk_words)`,
  ],
  [
    'The keyword index and the memories differ',
    `select rowid as n from memory_words where rowid not in (select n from memories)
       union all select n from memories where n not in (select rowid from memory_words)`,
  ],
  [
    'Filterable metadata is of nothing',
    `select key, doc from document_meta
       where doc not in (select n from documents) and doc not in (select n from memories)`,
  ],
  [
    'A submission is of no document',
    'select n, doc from submissions where doc not in (select n from documents)',
  ],
  [
    'It is noted of no document that no memory speaks for it',
    'select doc from documents_unspoken where doc not in (select n from documents)',
  ],
  [
    'A place in a thread is of no document, or of one with other tags',
    `select doc from thread_places where not exists (select 1 from documents
       where n = thread_places.doc and deleted = 0 and documents.container = thread_places.container)`,
  ],
  [
    'A document is hidden that goes with no connection',
    `select doc from documents_hidden where doc not in (select documents.n from documents
       inner join connections on connections.id = documents.connection where connections.state = 'removing')`,
  ],
  [
    'A vector is of nothing',
    `select space, n from exact_vectors where n not in (select n from chunks) and n not in (select n from memories)`,
  ],
  [
    'A document carries a tag that does not lead to it',
    `select documents.id, wanted.value from documents, json_each(documents.tags) as wanted
       where deleted = 0 and not exists (select 1 from container_tags inner join tags on tags.n = container_tags.tag
         where container_tags.container = documents.container and tags.tag = wanted.value)`,
  ],
];

const SHOWN = 3;

/** Called when the server is idle. */
export const checkAccounts = (folder: Folder): void =>
  reading(folder, (query) => {
    for (const [wrong, statement] of WRONGS) {
      const found = query(`${statement} limit ${SHOWN}`);
      if (found.length > 0) throw new Error(`${wrong}: ${JSON.stringify(found)}`);
    }
  });
