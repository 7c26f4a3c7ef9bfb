// Storing memories: the same fact gets a source and not a row, a changed one a new version, and what loses
// its last source is erased.
import { factOf } from '../../../lib/fact.ts';
import { newId } from '../../../lib/ids.ts';
import { wasSaidBefore } from '../../../lib/said.ts';
import type { FillSpace } from '../ingest-port.ts';
import { CONTAINER_SPAN, type Db, MEMORY_OFFSET } from '../tables.ts';
import { insertRows } from './insert.ts';
import { arrange, memoryByNumber, replacedBy, saidOf, settle } from './memory-chain.ts';
import { type Around, type Arrival, type Lineage, lineageOf } from './memory-lineage.ts';
import { isLive, type MemoryRow } from './memory-rows.ts';
import { run } from './raw.ts';
import { listSpaces } from './spaces.ts';
import { type NumberedVector, writeVectors } from './vectors.ts';
import { inList } from './visible.ts';

export interface Place {
  container: number;
  tagNumbers: readonly number[];
}

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
  { prepared, said }: Pick<Arrival, 'prepared' | 'said'>,
  { versions, place: at }: Lineage,
  now: number,
): MemoryRow => ({
  n,
  id: newId(),
  container: place.container,
  memory: prepared.memory,
  fact: factOf(prepared.memory),
  version: at + 1,
  root: at === 0 ? n : (versions[0]?.n ?? n),
  parent: versions[at - 1]?.n ?? null,
  is_latest: at === versions.length ? 1 : 0,
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
  said_at: said.saidAt,
  heard_at: said.heardAt,
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
  arrival: Pick<Arrival, 'prepared' | 'said'>,
  lineage: Lineage,
  unindexed: Unindexed,
  now: number,
): Promise<MemoryRow> => {
  const { prepared } = arrival;
  const n = await takeNumber(tx, place.container, prepared.bodyTokens);
  const row = rowOf(place, n, arrival, lineage, now);
  await insertRows(tx, 'memories', [row]);
  const former = row.parent === null ? [] : [{ other: row.parent, kind: 'updates' as const }];
  await relate(tx, n, [...former, ...lineage.relations], now);
  if (row.version > 1 || row.is_latest === 0)
    await arrange(tx, lineage.versions.toSpliced(lineage.place, 0, row));
  await settle(tx, lineage.ended);
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

/** The same was said again: static where either says so, a guess where both are, as lasting as either wants. */
const restate = async (tx: Db, known: MemoryRow, { prepared: again, said }: Arrival): Promise<MemoryRow> => {
  const longer =
    known.forget_after !== null && (again.forgetAfter === null || again.forgetAfter > known.forget_after);
  const changes = {
    ...(again.isStatic && known.is_static === 0 ? { is_static: 1 } : {}),
    ...(!again.isInference && known.is_inference === 1 ? { is_inference: 0 } : {}),
    ...(longer ? { forget_after: again.forgetAfter, forget_reason: again.forgetReason } : {}),
    ...(wasSaidBefore(saidOf(known), said) ? { said_at: said.saidAt, heard_at: said.heardAt } : {}),
  };
  if (Object.keys(changes).length === 0) return known;
  await tx.updateTable('memories').set(changes).where('n', '=', known.n).execute();
  return { ...known, ...changes };
};

/** A neighbour among the versions that says the same: said twice before something else was. */
const neighbourOf = async (
  tx: Db,
  { prepared }: Arrival,
  { versions, place }: Lineage,
): Promise<MemoryRow | undefined> => {
  const fact = factOf(prepared.memory);
  const twin = [versions[place - 1], versions[place]].find(
    (version) => version?.fact === fact && version.is_forgotten === 0,
  );
  return twin && memoryByNumber(tx, twin.n);
};

const storeArrival = async (
  tx: Db,
  place: Place,
  arrival: Arrival,
  around: Around,
  unindexed: Unindexed,
  now: number,
): Promise<MemoryRow> => {
  const known = await sameFact(tx, place.container, arrival.prepared.memory, now);
  if (known) return restate(tx, known, arrival);
  const lineage = await lineageOf(tx, arrival, around);
  const twin = await neighbourOf(tx, arrival, lineage);
  if (!twin) return insertMemory(tx, place, arrival, lineage, unindexed, now);
  await relate(tx, twin.n, lineage.relations, now);
  await arrange(tx, lineage.versions);
  await settle(tx, lineage.ended);
  return restate(tx, twin, arrival);
};

/** The document that states them. */
export interface Stating {
  doc: number;
  below: Around['below'];
}

/** In order: a later one may update an earlier one of the same text. What no living chunk states any more is null. */
export const storeArrivals = async (
  tx: Db,
  place: Place,
  { doc, below }: Stating,
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
    const around = { container: place.container, stored, below };
    const row = await storeArrival(tx, place, arrival, around, unindexed, now);
    await addSources(tx, row.n, doc, arrival.chunks, now);
    stored.push(row);
  }
  await indexAll(tx, spaces, unindexed);
  return stored;
};

// --- erasing -----------------------------------------------------------------------------------------

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
};

export const eraseMemories = async (tx: Db, ns: readonly number[]): Promise<void> => {
  if (ns.length === 0) return;
  const rows = await tx.selectFrom('memories').selectAll().where('n', 'in', inList(ns)).execute();
  const roots = [...rows.map(({ root }) => root), ...(await replacedBy(tx, ns))];
  for (const row of rows) await eraseOne(tx, row);
  await settle(tx, roots);
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
