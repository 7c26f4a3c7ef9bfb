// Storing memories: the same fact gets a source and not a row, a changed one a new version, and what loses
// its last source is erased.
import { CompiledQuery } from 'kysely';
import { factOf } from '../../../lib/fact.ts';
import { newId } from '../../../lib/ids.ts';
import type { FillSpace } from '../ingest-port.ts';
import type { PreparedMemory, PreparedRelation } from '../memory-port.ts';
import { CONTAINER_SPAN, type Db, MEMORY_OFFSET } from '../tables.ts';
import { insertRows } from './insert.ts';
import { isLive, type MemoryRow } from './memory-rows.ts';
import { listSpaces } from './spaces.ts';
import { type NumberedVector, writeVectors } from './vectors.ts';
import { inList } from './visible.ts';

export interface Place {
  container: number;
  tagNumbers: readonly number[];
}

/** What replaces what, and what else it stands to. */
interface Lineage {
  updates: MemoryRow | null;
  relations: { other: number; kind: 'updates' | 'extends' | 'derives' }[];
}

const run = <Row extends object>(tx: Db, statement: string, parameters: readonly unknown[]) =>
  tx.executeQuery<Row>(CompiledQuery.raw(statement, [...parameters]));

export const takeNumber = async (tx: Db, container: number, tokens: number): Promise<number> => {
  const { rows } = await run<{ next_memory: number }>(
    tx,
    `update containers set next_memory = next_memory + 1, memories = memories + 1,
       memory_tokens = memory_tokens + ? where n = ? returning next_memory`,
    [tokens, container],
  );
  const next = rows[0]?.next_memory;
  if (next === undefined) throw new Error(`Container ${container} is missing`);
  return container * CONTAINER_SPAN + MEMORY_OFFSET + next - 1;
};

export const memoryByNumber = async (tx: Db, n: number): Promise<MemoryRow | undefined> =>
  tx.selectFrom('memories').selectAll().where('n', '=', n).executeTakeFirst();

export const memoryById = async (tx: Db, id: string): Promise<MemoryRow | undefined> =>
  tx.selectFrom('memories').selectAll().where('id', '=', id).executeTakeFirst();

/** A live memory of the container that says the same. */
const sameFact = (tx: Db, container: number, memory: string, now: number): Promise<MemoryRow | undefined> =>
  tx
    .selectFrom('memories')
    .selectAll()
    .where('container', '=', container)
    .where('fact', '=', factOf(memory))
    .where(isLive(now))
    .executeTakeFirst();

export const indexWords = async (tx: Db, place: Place, n: number, body: string): Promise<void> => {
  const tags = place.tagNumbers.map((tag) => `t${tag}x`).join(' ');
  await run(tx, 'insert into memory_words (rowid, tag, body, extra) values (?, ?, ?, ?)', [
    n,
    tags,
    body,
    '',
  ]);
};

const json = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);

const rowOf = (
  place: Place,
  n: number,
  prepared: PreparedMemory,
  former: MemoryRow | null,
  now: number,
): MemoryRow => ({
  n,
  id: newId(),
  container: place.container,
  memory: prepared.memory,
  fact: factOf(prepared.memory),
  version: (former?.version ?? 0) + 1,
  root: former?.root ?? n,
  parent: former?.n ?? null,
  is_latest: 1,
  is_static: prepared.isStatic ? 1 : 0,
  is_inference: prepared.isInference ? 1 : 0,
  slot: prepared.slot,
  about: prepared.about,
  is_forgotten: 0,
  forget_after: prepared.forgetAfter,
  forget_reason: prepared.forgetReason,
  forget_batch: null,
  review: null,
  metadata: json(prepared.metadata),
  document_date: prepared.documentDate,
  event_dates: prepared.eventDates.length > 0 ? JSON.stringify(prepared.eventDates) : null,
  body_tokens: prepared.bodyTokens,
  terms: prepared.terms,
  input_hash: prepared.inputHash,
  created_at: now,
  updated_at: now,
});

export const relate = async (
  tx: Db,
  memory: number,
  relations: Lineage['relations'],
  now: number,
): Promise<void> => {
  for (const { other, kind } of relations)
    if (other !== memory)
      await run(
        tx,
        'insert into memory_relations (memory, other, kind, created_at) values (?, ?, ?, ?) on conflict do nothing',
        [memory, other, kind, now],
      );
};

/** What the indexes are told at the end: told in between, FTS5 would write a segment for each memory. */
export interface Unindexed {
  words: { place: Place; n: number; body: string }[];
  vectors: ReadonlyMap<number, NumberedVector[]>;
}

export const nothingUnindexed = (spaces: readonly FillSpace[]): Unindexed => ({
  words: [],
  vectors: new Map(spaces.map((space) => [space.id, []])),
});

export const indexAll = async (
  tx: Db,
  spaces: readonly FillSpace[],
  { words, vectors }: Unindexed,
): Promise<void> => {
  for (const space of spaces) await writeVectors(tx, space, vectors.get(space.id) ?? []);
  for (const { place, n, body } of words) await indexWords(tx, place, n, body);
};

export const insertMemory = async (
  tx: Db,
  place: Place,
  prepared: PreparedMemory,
  lineage: Lineage,
  unindexed: Unindexed,
  now: number,
): Promise<MemoryRow> => {
  const n = await takeNumber(tx, place.container, prepared.bodyTokens);
  const row = rowOf(place, n, prepared, lineage.updates, now);
  if (lineage.updates)
    await tx.updateTable('memories').set({ is_latest: 0 }).where('n', '=', lineage.updates.n).execute();
  await insertRows(tx, 'memories', [row]);
  await relate(tx, n, lineage.relations, now);
  unindexed.words.push({ place, n, body: prepared.body });
  for (const [space, vector] of prepared.vectors) unindexed.vectors.get(space)?.push({ n, vector });
  return row;
};

export const addSources = async (
  tx: Db,
  memory: number,
  doc: number,
  chunks: readonly string[] | null,
  now: number,
): Promise<void> => {
  for (const chunk of chunks ?? [''])
    await run(
      tx,
      'insert into memory_sources (memory, doc, chunk, created_at) values (?, ?, ?, ?) on conflict do nothing',
      [memory, doc, chunk, now],
    );
};

export interface Arrival {
  prepared: PreparedMemory;
  relations: readonly PreparedRelation[];
  /** The chunks that state it; null: the document as a whole does. */
  chunks: readonly string[] | null;
}

const resolve = async (
  tx: Db,
  relation: PreparedRelation,
  stored: readonly (MemoryRow | null)[],
): Promise<MemoryRow | null | undefined> =>
  'known' in relation.to ? memoryById(tx, relation.to.known) : stored[relation.to.drawn];

/** Only the latest of a chain can be updated: whoever came first made it the former one already. */
const latestOf = async (tx: Db, row: MemoryRow): Promise<MemoryRow | null> =>
  (await tx
    .selectFrom('memories')
    .selectAll()
    .where('root', '=', row.root)
    .where('is_latest', '=', 1)
    .executeTakeFirst()) ?? null;

/** A reader may be told ids by what it reads: those of another container are none of its business. */
const lineageOf = async (
  tx: Db,
  place: Place,
  arrival: Arrival,
  stored: readonly (MemoryRow | null)[],
): Promise<Lineage> => {
  const lineage: Lineage = { updates: null, relations: [] };
  for (const relation of arrival.relations) {
    const target = await resolve(tx, relation, stored);
    if (!target || target.container !== place.container) continue;
    const latest = relation.kind === 'updates' ? await latestOf(tx, target) : target;
    if (!latest) continue;
    if (relation.kind === 'updates' && lineage.updates === null) lineage.updates = latest;
    lineage.relations.push({ other: latest.n, kind: relation.kind });
  }
  return lineage;
};

/** The same was said again: static where either says so, a guess where both are, as lasting as either wants. */
const restate = async (tx: Db, known: MemoryRow, again: PreparedMemory): Promise<MemoryRow> => {
  const longer =
    known.forget_after !== null && (again.forgetAfter === null || again.forgetAfter > known.forget_after);
  const changes = {
    ...(again.isStatic && known.is_static === 0 ? { is_static: 1 } : {}),
    ...(!again.isInference && known.is_inference === 1 ? { is_inference: 0 } : {}),
    ...(longer ? { forget_after: again.forgetAfter, forget_reason: again.forgetReason } : {}),
  };
  if (Object.keys(changes).length === 0) return known;
  await tx.updateTable('memories').set(changes).where('n', '=', known.n).execute();
  return { ...known, ...changes };
};

/** In order: a later one may update an earlier one of the same text. What no living chunk states any more is null. */
export const storeArrivals = async (
  tx: Db,
  place: Place,
  doc: number,
  arrivals: readonly Arrival[],
  spaces: readonly FillSpace[],
  now: number,
): Promise<(MemoryRow | null)[]> => {
  const unindexed = nothingUnindexed(spaces);
  const stored: (MemoryRow | null)[] = [];
  for (const arrival of arrivals) {
    if (arrival.chunks?.length === 0) {
      stored.push(null);
      continue;
    }
    const known = await sameFact(tx, place.container, arrival.prepared.memory, now);
    const row = known
      ? await restate(tx, known, arrival.prepared)
      : await insertMemory(
          tx,
          place,
          arrival.prepared,
          await lineageOf(tx, place, arrival, stored),
          unindexed,
          now,
        );
    await addSources(tx, row.n, doc, arrival.chunks, now);
    stored.push(row);
  }
  await indexAll(tx, spaces, unindexed);
  return stored;
};

// --- erasing -----------------------------------------------------------------------------------------

/** The chain closes over the gap: the version before becomes the latest, the one after becomes the root. */
const closeChain = async (tx: Db, row: MemoryRow): Promise<void> => {
  await tx.updateTable('memories').set({ parent: row.parent }).where('parent', '=', row.n).execute();
  const left = await tx
    .selectFrom('memories')
    .select(['n', 'version'])
    .where('root', '=', row.root)
    .orderBy('version')
    .execute();
  const [first, last] = [left[0], left.at(-1)];
  if (!first || !last) return;
  if (row.root === row.n)
    await tx.updateTable('memories').set({ root: first.n }).where('root', '=', row.root).execute();
  if (row.is_latest === 1)
    await tx.updateTable('memories').set({ is_latest: 1 }).where('n', '=', last.n).execute();
};

const eraseOne = async (tx: Db, row: MemoryRow): Promise<void> => {
  await run(tx, 'delete from memories where n = ?', [row.n]);
  await run(tx, 'delete from memory_sources where memory = ?', [row.n]);
  await run(tx, 'delete from memory_relations where memory = ?1 or other = ?1', [row.n]);
  await run(tx, 'delete from memory_words where rowid = ?', [row.n]);
  await run(tx, 'delete from document_meta where doc = ?', [row.n]);
  await run(
    tx,
    'update containers set memories = memories - 1, memory_tokens = memory_tokens - ? where n = ?',
    [row.body_tokens, row.container],
  );
  await closeChain(tx, row);
};

export const eraseMemories = async (tx: Db, ns: readonly number[]): Promise<void> => {
  if (ns.length === 0) return;
  const rows = await tx.selectFrom('memories').selectAll().where('n', 'in', inList(ns)).execute();
  for (const { n } of rows) {
    // Read again: erasing one changes its chain.
    const row = await memoryByNumber(tx, n);
    if (row) await eraseOne(tx, row);
  }
  for (const space of await listSpaces(tx))
    await writeVectors(
      tx,
      { id: space.id, dimensions: space.dimensions, keepExact: true },
      rows.map(({ n }) => ({ n, vector: null })),
    );
};

/** These chunks of the document say nothing any more; null: none of it does. */
export const dropSources = async (tx: Db, doc: number, chunks: readonly string[] | null): Promise<void> => {
  const gone =
    chunks === null
      ? await run<{ memory: number }>(tx, 'delete from memory_sources where doc = ? returning memory', [doc])
      : await run<{ memory: number }>(
          tx,
          `delete from memory_sources where doc = ? and chunk in (select value from json_each(?)) returning memory`,
          [doc, JSON.stringify(chunks)],
        );
  if (gone.rows.length === 0) return;
  const { rows: orphans } = await run<{ n: number }>(
    tx,
    `select value as n from json_each(?) where not exists
       (select 1 from memory_sources where memory_sources.memory = json_each.value)`,
    [JSON.stringify([...new Set(gone.rows.map((row) => row.memory))])],
  );
  await eraseMemories(
    tx,
    orphans.map((row) => row.n),
  );
};
