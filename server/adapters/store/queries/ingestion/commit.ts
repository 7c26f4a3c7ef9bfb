// Makes a document searchable, in one transaction with its vectors and the outbox.

import { CONTAINER_SPAN, containerOfNumber } from '../../../../core/chunks/chunk-number.ts';
import { erasesText } from '../../../../core/documents/decisions.ts';
import { allAtOnce } from '../../engine/at-once.ts';
import { countInContainer } from '../../engine/counts.ts';
import { engineOf, type NumberedVector, type UnitWords } from '../../engine/engine.ts';
import { lockMemoriesOf, needsLocks } from '../../engine/locks.ts';
import { run } from '../../engine/run.ts';
import type { StoredChunk } from '../../ports/ingestion/claims.ts';
import type { ChunkWords, CommittedDocument, KeptChunk } from '../../ports/ingestion/commits.ts';
import type { FillSpace } from '../../ports/spaces.ts';
import { OUTLINE_ASSIGNMENTS, outlineColumns } from '../../statements/documents/outline-columns.ts';
import { countRewritten } from '../../statements/live-memories.ts';
import type { Db } from '../../tables/tables.ts';
import { noteMetadata } from '../documents/noted-metadata.ts';
import { releaseFile } from '../documents/originals.ts';
import { measurePlace, placedDocuments } from '../documents/threads.ts';
import { dropSources } from '../memories/erase.ts';
import { listSpaces } from '../spaces/spaces.ts';
import { type VectorSpace, writeVectors } from '../spaces/vectors.ts';
import { standingClaims } from './claim.ts';
import { chunkRows, insertChunks, isPlain, mayBeMessage } from './committed-chunks.ts';
import { decideSubmissions } from './decided-submissions.ts';
import { carrySources, hasPlacedFacts, placeFacts } from './place-facts.ts';
import { noteUnscrubbed } from './unscrubbed.ts';

interface Growth {
  chunks: number;
  bodyTokens: number;
  messages: number;
  messageTokens: number;
}

/** Length statistics count a message once, however many pieces it was cut into. */
const isFirstPiece = (chunk: { part: number }): boolean => chunk.part === 0;

const chunkGrowth = (document: CommittedDocument): Growth => {
  const growth: Growth = { chunks: 0, bodyTokens: 0, messages: 0, messageTokens: 0 };
  const count = (chunk: { part: number; bodyTokens: number; messageTokens: number }, sign: 1 | -1) => {
    growth.chunks += sign;
    growth.bodyTokens += sign * chunk.bodyTokens;
    growth.messages += isFirstPiece(chunk) ? sign : 0;
    growth.messageTokens += isFirstPiece(chunk) ? sign * chunk.messageTokens : 0;
  };
  for (const chunk of document.added) count(chunk, 1);
  for (const { former, part, messageTokens } of document.kept) {
    count(former, -1);
    count({ part, messageTokens, bodyTokens: former.bodyTokens }, 1);
  }
  for (const chunk of document.removed)
    if (containerOfNumber(chunk.n) === document.claim.container) count(chunk, -1);
  return growth;
};

/** Takes chunk numbers from the container for all of these documents and adds up what it now holds. */
const growContainer = async (
  tx: Db,
  container: number,
  documents: readonly CommittedDocument[],
): Promise<number> => {
  const growths = documents.map(chunkGrowth);
  const sum = (pick: (growth: Growth) => number) => growths.reduce((all, growth) => all + pick(growth), 0);
  const count = documents.reduce((all, { added }) => all + added.length, 0);
  const first = await engineOf(tx).numbers.take(tx, { units: 'chunks', container, count });
  await countInContainer(tx, container, {
    chunks: sum((growth) => growth.chunks),
    body_tokens: sum((growth) => growth.bodyTokens),
    messages: sum((growth) => growth.messages),
    message_tokens: sum((growth) => growth.messageTokens),
  });
  return container * CONTAINER_SPAN + first;
};

/** The first chunk number of each document. */
const growContainers = async (
  tx: Db,
  documents: readonly CommittedDocument[],
): Promise<Map<CommittedDocument, number>> => {
  const firsts = new Map<CommittedDocument, number>();
  const byContainer = [...Map.groupBy(documents, ({ claim }) => claim.container)];
  // In one order in every write, so that two of them never wait for each other.
  for (const [container, inside] of byContainer.sort(([a], [b]) => a - b)) {
    let n = await growContainer(tx, container, inside);
    for (const document of inside) {
      firsts.set(document, n);
      n += document.added.length;
    }
  }
  return firsts;
};

/** One transaction that commits documents; words and vectors are collected and written at its end. */
interface CommitContext {
  tx: Db;
  now: number;
  /** By space. */
  vectors: ReadonlyMap<number, NumberedVector[]>;
  words: UnitWords[];
  /** The documents that have a place in a thread. */
  places: ReadonlySet<number>;
}

const wordsForChunk = ({ claim }: CommittedDocument, n: number, { body, extra }: ChunkWords): UnitWords => ({
  n,
  tagNumbers: claim.tagNumbers,
  body,
  extra,
});

const updateKept = async (tx: Db, chunk: KeptChunk): Promise<void> => {
  const { former, words, metadata } = chunk;
  await run(
    tx,
    'update chunks set position = $1, part = $2, flags = $3, input_hash = $4, message_tokens = $5 where n = $6',
    [chunk.position, chunk.part, chunk.flags, chunk.inputHash, chunk.messageTokens, former.n],
  );
  if (metadata !== undefined)
    await run(tx, 'update chunks set metadata = $1 where n = $2', [
      metadata === null ? null : JSON.stringify(metadata),
      former.n,
    ]);
  if (words === null) return engineOf(tx).words.touchChunks(tx, [former.n]);
  const { title, date, terms } = words;
  await run(tx, 'update chunks set title = $1, date = $2, terms = $3 where n = $4', [
    title,
    date,
    terms,
    former.n,
  ]);
  await engineOf(tx).words.erase(tx, 'chunks', [former.n]);
};

/** After a move the same chunks get new numbers: their memories and the mark that they were read are kept. */
const carryReading = async (tx: Db, doc: number, gone: readonly number[]): Promise<void> => {
  await run(
    tx,
    `update chunks set read_for_memories = former.read_for_memories
       from (select id, read_for_memories from chunks where n in (select value from number_list($2))) as former
       where chunks.doc = $1 and chunks.n not in (select value from number_list($2))
         and chunks.id = former.id and former.read_for_memories > 0`,
    [doc, JSON.stringify(gone)],
  );
};

const hasUnread = async (tx: Db, doc: number): Promise<boolean> => {
  const { rows } = await run(
    tx,
    'select 1 as found from chunks where doc = $1 and read_for_memories = 0 limit 1',
    [doc],
  );
  return rows.length > 0;
};

export const eraseChunks = async (tx: Db, ns: readonly number[]): Promise<void> => {
  if (ns.length === 0) return;
  await engineOf(tx).words.erase(tx, 'chunks', ns);
  await run(tx, 'delete from chunks where n in (select value from number_list($1))', [JSON.stringify(ns)]);
};

/** Takes these chunks out of the totals of their container. */
export const shrinkContainer = async (
  tx: Db,
  container: number,
  chunks: readonly Pick<StoredChunk, 'part' | 'bodyTokens' | 'messageTokens'>[],
): Promise<void> => {
  const first = chunks.filter(isFirstPiece);
  await countInContainer(tx, container, {
    chunks: -chunks.length,
    body_tokens: -chunks.reduce((all, chunk) => all + chunk.bodyTokens, 0),
    messages: -first.length,
    message_tokens: -first.reduce((all, chunk) => all + chunk.messageTokens, 0),
  });
};

/** The document moved to another container since its last commit, so its old numbers belong to the former one. */
const leaveFormerContainers = async (tx: Db, document: CommittedDocument): Promise<void> => {
  const former = Map.groupBy(document.removed, (chunk) => containerOfNumber(chunk.n));
  former.delete(document.claim.container);
  for (const [container, chunks] of former) await shrinkContainer(tx, container, chunks);
};

/** The ids of all its new chunks, in this transaction or in those before. */
const addedTo = ({ added, slice }: CommittedDocument): ReadonlySet<string> =>
  slice?.added ?? new Set(added.map(({ id }) => id));

/** Stores the metadata and the kind of the original that extraction found. */
const storeFindings = async (
  tx: Db,
  { claim, notedMetadata, dropsFile, mimeType }: CommittedDocument,
): Promise<void> => {
  if (notedMetadata !== undefined) await noteMetadata(tx, claim, notedMetadata);
  if (dropsFile) await releaseFile(tx, claim.n);
  else if (mimeType !== undefined)
    await run(tx, 'update files set mime_type = $1 where doc = $2', [mimeType, claim.n]);
};

/** For a long document with further chunks to come: after a crash these chunks are found again. */
const countPartialCommit = (tx: Db, { claim, added, removed }: CommittedDocument) =>
  run(tx, 'update documents set chunks = chunks + $1 where n = $2', [added.length - removed.length, claim.n]);

/** True if facts wait to become memories, or new passages to be read for them. */
const hasMemoriesToCome = async (tx: Db, document: CommittedDocument): Promise<boolean> => {
  const { n } = document.claim;
  if (isPlain(document)) return document.added.length > 0;
  return (await hasPlacedFacts(tx, n)) || (addedTo(document).size > 0 && (await hasUnread(tx, n)));
};

/** Further submissions are next; of a failure that decided nothing they would only repeat it. */
const goesOn = ({ claim, failure, decisions }: CommittedDocument): boolean =>
  claim.more && (failure === null || decisions.length >= claim.submissions.length);

const stepAfter = (document: CommittedDocument): string => {
  if (goesOn(document)) return 'queued';
  return document.failure === null ? 'done' : 'failed';
};

/** Only passages were added. */
const isOnlyLonger = (document: CommittedDocument): boolean => {
  const stated = addedTo(document);
  return !erasesText(document) && document.removed.every(({ id }) => stated.has(id));
};

const finishDocument = async (tx: Db, document: CommittedDocument, now: number): Promise<void> => {
  const { claim, layout } = document;
  const outline = outlineColumns(document.outline);
  const failure = goesOn(document) ? null : document.failure;
  const leftOut = await decideSubmissions(tx, document);
  if (!isPlain(document)) await placeFacts(tx, document, addedTo(document));
  await run(
    tx,
    `update documents set step = $1, lease = null, lease_boot = null, attempts = 0, crashes = 0,
       indexed_revision = revision, content = $2, content_hash = $3, layout = $4,
       title = case when title_given = 1 then title else $5 end, type = $6, url = $7,
       chunks = $8, updated_at = $9, failure_code = $10, failure_message = $11, failure_retryable = $12,
       progress_done = null, progress_total = null, progress_unit = null, moved = 0, note = $15, heavy = $16,
       memory_state = case when task_type <> 'memory' then 'none' when $13 = 1 then 'waiting' else memory_state end,
       memory_lease = case when $13 = 1 then null else memory_lease end, ${OUTLINE_ASSIGNMENTS}
     where n = $14`,
    [
      stepAfter(document),
      document.content,
      document.contentHash,
      layout === null ? null : JSON.stringify(layout),
      document.title,
      document.type,
      document.url,
      document.total,
      now,
      failure?.code ?? null,
      failure?.message ?? null,
      failure === null ? null : Number(failure.retryable),
      (await hasMemoriesToCome(tx, document)) ? 1 : 0,
      claim.n,
      [document.note, leftOut].filter(Boolean).join(' ') || null,
      document.heavy ? 1 : 0,
      ...[outline.shown_title, outline.title_origin, outline.summary, outline.summary_origin],
      isOnlyLonger(document) ? 1 : 0,
    ],
  );
  await storeFindings(tx, document);
};

/** Later content of the document is cut in the same size. */
const noteChunkSize = async (tx: Db, { claim, chunkSize }: CommittedDocument): Promise<void> => {
  if (chunkSize === claim.chunkSize) return;
  await run(tx, 'update documents set chunk_size = $1 where n = $2', [chunkSize, claim.n]);
};

/** Returns the numbers of the removed chunks. */
const writeChunks = async (
  context: CommitContext,
  document: CommittedDocument,
  firstNumber: number,
): Promise<number[]> => {
  const { tx, vectors, words } = context;
  let n = firstNumber;
  for (const chunk of document.added) {
    words.push(wordsForChunk(document, n, chunk));
    for (const [space, vector] of chunk.vectors) vectors.get(space)?.push({ n, vector });
    n += 1;
  }
  if (document.kept.length > 0) await countRewritten(tx, document.claim.tagNumbers);
  for (const chunk of document.kept) {
    await updateKept(tx, chunk);
    if (chunk.words === null) continue;
    words.push(wordsForChunk(document, chunk.former.n, chunk.words));
    for (const [space, list] of vectors)
      list.push({ n: chunk.former.n, vector: chunk.vectors.get(space) ?? null });
  }
  return document.removed.map((chunk) => chunk.n);
};

const commitDocument = async (
  context: CommitContext,
  document: CommittedDocument,
  firstNumber: number,
): Promise<void> => {
  const { tx, now, vectors, places } = context;
  await noteChunkSize(tx, document);
  const gone = await writeChunks(context, document, firstNumber);
  const stated = addedTo(document);
  if (document.removed.some((chunk) => stated.has(chunk.id))) await carryReading(tx, document.claim.n, gone);
  await eraseChunks(tx, gone);
  for (const list of vectors.values()) list.push(...gone.map((n) => ({ n, vector: null })));
  if (gone.length > 0) {
    await leaveFormerContainers(tx, document);
    const unstated = document.removed.filter(({ id }) => !stated.has(id));
    await carrySources(tx, document, unstated);
    await dropSources(
      tx,
      document.claim.n,
      unstated.map(({ id }) => id),
    );
  }
  if (document.slice?.last === false) {
    await countPartialCommit(tx, document);
    return;
  }
  if (places.has(document.claim.n) || mayBeMessage(document)) await measurePlace(tx, document.claim.n);
  await finishDocument(tx, document, now);
  if (erasesText(document)) await noteUnscrubbed(tx);
};

/** Documents that lose no passages touch rows of their own alone: on a database server their statements go side by side. */
const commitEach = async (
  context: CommitContext,
  firsts: readonly (readonly [CommittedDocument, number])[],
): Promise<void> => {
  const apart = ([{ removed }]: (typeof firsts)[number]): boolean =>
    needsLocks(context.tx) && removed.length === 0;
  const { tx, now } = context;
  await insertChunks(
    tx,
    firsts.flatMap(([document, first]) => chunkRows(document, first, now)),
  );
  await allAtOnce(firsts.filter(apart), ([document, first]) => commitDocument(context, document, first));
  for (const each of firsts) if (!apart(each)) await commitDocument(context, ...each);
};

/** For every space: one without a working embedder loses outdated vectors now and is filled later. */
const spacesToWrite = async (tx: Db, served: readonly FillSpace[]): Promise<VectorSpace[]> =>
  (await listSpaces(tx)).map(
    ({ id, dimensions }) => served.find((space) => space.id === id) ?? { id, dimensions, keepExact: true },
  );

/** All in the caller's transaction; a document without a valid lease is skipped, because its next revision is already queued. */
export const commitDocuments = async (
  tx: Db,
  documents: readonly CommittedDocument[],
  served: readonly FillSpace[],
  now: number,
): Promise<number> => {
  const spaces = await spacesToWrite(tx, served);
  const vectors = new Map<number, NumberedVector[]>(spaces.map((space) => [space.id, []]));
  // Memories that lose a passage may be erased.
  await lockMemoriesOf(
    tx,
    documents.flatMap(({ claim, removed }) => (removed.length > 0 ? [claim.container] : [])),
  );
  const held = await standingClaims(
    tx,
    documents.map(({ claim }) => claim),
  );
  const firsts = await growContainers(
    tx,
    documents.filter(({ claim }) => held.has(claim)),
  );
  // After the documents are locked: a change of one of them may give it a place.
  const places = await placedDocuments(
    tx,
    [...firsts.keys()].map(({ claim }) => claim.n),
  );
  const context: CommitContext = { tx, now, vectors, words: [], places };
  await commitEach(context, [...firsts]);
  for (const space of spaces) await writeVectors(tx, space, vectors.get(space.id) ?? []);
  // Last: an index may write out what it has gathered before any statement that may have to be undone.
  await engineOf(tx).words.write(tx, 'chunks', context.words);
  return firsts.size;
};
