// Removals: files that were removed upstream, and connections that are removed with or without their documents.
import { until } from '../../crash/api.ts';
import { checkIndex } from '../../crash/index-check.ts';
import { count } from '../../crash/sql.ts';
import { embeddingMarks, type FilledDrive, filesWith, wordOf } from '../support/contents.ts';
import { connectDrive, type SyncedServer, shown, syncAgain, synced } from '../support/synced-server.ts';
import { exactly, type Figure, seen, timeAtMost } from './row.ts';

const SCRUBBED_MS = 120_000;
const HIDDEN_MS = 100;
const LONGEST_MS = 60_000;

const hitsOf = async ({ ask }: SyncedServer, tag: string, number: number): Promise<number> => {
  const q = wordOf(number);
  const { body } = await ask<{ results: { chunks?: { content: string }[] }[] }>('POST', '/v3/search', {
    ...{ q, containerTags: [tag], chunkThreshold: 0 },
  });
  return body.results.filter((result) => JSON.stringify(result).includes(q)).length;
};

const listed = async ({ ask }: SyncedServer, tag: string): Promise<number> =>
  (
    await ask<{ pagination: { totalItems: number } }>('POST', '/v3/documents/list', {
      ...{ containerTags: [tag], limit: 1 },
    })
  ).body.pagination.totalItems;

const idsOf = ({ read }: SyncedServer, customIds: readonly string[]): string[] =>
  read((query) =>
    customIds.map((customId) =>
      String(query('select id from documents where custom_id = ? and deleted = 0', customId)[0]?.id),
    ),
  );

const sumOf = async (values: readonly Promise<number>[]): Promise<number> =>
  (await Promise.all(values)).reduce((sum, value) => sum + value, 0);

/** The first files of the drive go into the trash. */
export const removedUpstream = async (
  server: SyncedServer,
  { id, tag, filled, most }: { id: string; tag: string; filled: FilledDrive; most: number },
): Promise<Figure[]> => {
  const doomed = filled.files.slice(0, most);
  const numbers = doomed.map((_, n) => n);
  const before = await listed(server, tag);
  const ids = idsOf(server, doomed);
  const found = await sumOf(numbers.slice(0, 10).map((n) => hitsOf(server, tag, n)));
  for (const file of doomed) server.drive.trash(file);
  const run = await syncAgain(server, id, tag);
  const hits = await sumOf(numbers.map((n) => hitsOf(server, tag, n)));
  const chunks = await sumOf(
    ids.map(async (document) => {
      const { status } = await server.ask('GET', `/v3/documents/${document}/chunks`);
      return status === 404 ? 0 : 1;
    }),
  );
  const after = await listed(server, tag);
  await until('the purge', SCRUBBED_MS, async () =>
    server.read(
      (query) =>
        count(query, 'select count(*) as n from documents where deleted = 1') === 0 &&
        count(query, "select count(*) as n from meta where key = 'unscrubbed'") === 0,
    ),
  );
  const rows = server.read((query) =>
    count(query, `select count(*) as n from documents where id in ('${ids.join("','")}')`),
  );
  const running = server.running();
  if (running === null) throw new Error('The server does not run.');
  // It throws where they differ.
  await checkIndex(running, server.folder);
  await server.stop();
  const files = filesWith(server.folder.dir, numbers.map(wordOf));
  await server.start();
  return [
    exactly('files removed upstream that search found before', found, Math.min(10, most)),
    exactly('documents that the next look removed', run.itemsRemoved, most),
    exactly('hits afterwards', hits, 0),
    exactly('still listed', before - after, most),
    exactly('with chunks', chunks, 0),
    exactly('rows after the purge', rows, 0),
    exactly('files that hold a word of them', files.join(' '), ''),
    seen('vectors of Chroma and of SQL', 'the same'),
  ];
};

/** A removed connection leaves its documents, and a new one takes them over. */
export const keptDocuments = async (
  server: SyncedServer,
  { id, tag, words }: { id: string; tag: string; words: readonly number[] },
): Promise<Figure[]> => {
  const before = await listed(server, tag);
  const began = performance.now();
  await server.ask('DELETE', `/v3/connections/${id}?deleteDocuments=false`);
  const took = performance.now() - began;
  const owned = server.read((query) =>
    count(query, 'select count(*) as n from documents where connection is not null and deleted = 0'),
  );
  const kept = await listed(server, tag);
  const found = await sumOf(words.map((n) => hitsOf(server, tag, n)));
  const marks = embeddingMarks(server);
  const again = await connectDrive(server, tag);
  const run = await synced(server, again);
  const { progress } = await shown(server, again);
  return [
    seen('milliseconds of the removal without documents', took),
    exactly('documents that stayed', kept, before),
    exactly('of them still with a connection', owned, 0),
    exactly('of their words found', found, words.length),
    exactly('documents that the new connection added', run.itemsAdded, 0),
    exactly('documents that it took over', progress.done, before),
    exactly('chunks and vectors', embeddingMarks(server) === marks ? 'unchanged' : 'changed', 'unchanged'),
    exactly('listed afterwards', await listed(server, tag), before),
  ];
};

/** All documents of a connection are hidden at once, but not one that another connection brings too. */
export const hiddenDocuments = async (
  server: SyncedServer,
  { tag, filled }: { tag: string; filled: FilledDrive },
): Promise<Figure[]> => {
  const [first] = (
    await server.ask<{ id: string }[]>('POST', '/v3/connections/list', { containerTags: [tag] })
  ).body;
  const shared = filled.files.at(-1) ?? '';
  const other = await connectDrive(server, tag, {});
  await server.ask('POST', `/v3/connections/${other}/configure`, {
    resources: [{ id: shared, name: 'shared', kind: 'file' }],
  });
  await synced(server, other);
  const before = await listed(server, tag);
  const began = performance.now();
  const removal = server.ask('DELETE', `/v3/connections/${first?.id}`);
  // One look after the other, so that no pause is measured.
  for (let left = before; left !== 1 && performance.now() - began < LONGEST_MS; )
    left = await listed(server, tag);
  const hiddenAfter = performance.now() - began;
  const { status } = await removal;
  const answered = performance.now() - began;
  const hits = await hitsOf(server, tag, filled.files.length - 2);
  await until('the purge', 600_000, async () =>
    server.read((query) => count(query, 'select count(*) as n from documents where deleted = 1') === 0),
  );
  const left = server.read((query) => query('select custom_id from documents where connection is not null'));
  return [
    exactly('status of the removal', status, 200),
    timeAtMost(
      `milliseconds until ${before.toLocaleString('en')} documents were hidden`,
      hiddenAfter,
      HIDDEN_MS,
    ),
    seen('milliseconds until the answer', answered),
    exactly('hits afterwards', hits, 0),
    exactly('left after the purge', left.map((row) => String(row.custom_id)).join(' '), shared),
    seen('seconds until all were purged', (performance.now() - began) / 1000),
  ];
};
