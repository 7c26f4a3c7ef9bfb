// Stores memories: the same fact gets one more source and no row of its own, and a changed fact becomes a new version.

import { CONTAINER_SPAN, MEMORY_OFFSET } from '../../../../core/chunks/chunk-number.ts';
import { wasSaidBefore } from '../../../../core/statements/spoken-time.ts';
import { statementKey } from '../../../../core/statements/statement-key.ts';
import { newId } from '../../../../lib/ids.ts';
import { countInContainer } from '../../engine/counts.ts';
import { engineOf, type NumberedVector, type UnitWords } from '../../engine/engine.ts';
import { textList } from '../../engine/lists.ts';
import { run } from '../../engine/run.ts';
import type { FillSpace } from '../../ports/spaces.ts';
import type { WriteContext } from '../../statements/contexts.ts';
import { insertRows } from '../../statements/insert.ts';
import { jsonOrNull } from '../../statements/json.ts';
import { isLive, type MemoryRow } from '../../statements/memory-rows.ts';
import type { Db } from '../../tables/tables.ts';
import { writeVectors } from '../spaces/vectors.ts';
import { type Arrival, type ArrivalContext, findPlacement, type Placement } from './placement.ts';
import {
  arrangeChain,
  chainVersions,
  memoryById,
  memoryByNumber,
  settleChains,
  spokenTime,
} from './versions.ts';

export interface MemoryContainer {
  container: number;
  tagNumbers: readonly number[];
}

/** One transaction that stores memories in one container. */
export interface MemoryWrite extends WriteContext {
  readonly container: MemoryContainer;
  readonly spaces: readonly FillSpace[];
}

export const takeNumber = async (tx: Db, container: number, tokens: number): Promise<number> => {
  const first = await engineOf(tx).numbers.take(tx, { units: 'memories', container, count: 1 });
  await countInContainer(tx, container, { memories: 1, memory_tokens: tokens });
  return container * CONTAINER_SPAN + MEMORY_OFFSET + first;
};

/** A live memory of the container with the same fact. */
const liveMemoryOfFact = (
  tx: Db,
  container: number,
  memory: string,
  now: number,
): Promise<MemoryRow | undefined> =>
  tx
    .selectFrom('memories')
    .selectAll()
    .where('container', '=', container)
    .where('fact', '=', statementKey(memory))
    .where(isLive(now))
    .executeTakeFirst();

const newMemoryRow = (
  { container, now }: MemoryWrite,
  n: number,
  { prepared, said }: Pick<Arrival, 'prepared' | 'said'>,
  { versions, position: at }: Placement,
): MemoryRow => ({
  n,
  id: newId(),
  container: container.container,
  memory: prepared.memory,
  fact: statementKey(prepared.memory),
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
  metadata: jsonOrNull(prepared.metadata),
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

export const insertRelations = async (
  tx: Db,
  memory: number,
  relations: Placement['relations'],
  now: number,
): Promise<void> => {
  for (const { other, kind } of relations)
    if (other !== memory)
      await run(
        tx,
        'insert into memory_relations (memory, other, kind, created_at) values ($1, $2, $3, $4) on conflict do nothing',
        [memory, other, kind, now],
      );
};

/**
 * A write that collects words and vectors and stores them at its end: written one by one, the index would create a
 * segment for each memory.
 */
interface GatheringWrite extends MemoryWrite {
  readonly words: UnitWords[];
  /** By space. */
  readonly vectors: ReadonlyMap<number, NumberedVector[]>;
}

const gathering = (write: MemoryWrite): GatheringWrite => ({
  ...write,
  words: [],
  vectors: new Map(write.spaces.map((space) => [space.id, []])),
});

const indexGathered = async ({ tx, spaces, words, vectors }: GatheringWrite): Promise<void> => {
  for (const space of spaces) await writeVectors(tx, space, vectors.get(space.id) ?? []);
  await engineOf(tx).words.write(tx, 'memories', words);
};

const insertMemory = async (
  write: GatheringWrite,
  arrival: Pick<Arrival, 'prepared' | 'said'>,
  placement: Placement,
): Promise<MemoryRow> => {
  const { tx, now, container } = write;
  const { prepared } = arrival;
  const n = await takeNumber(tx, container.container, prepared.bodyTokens);
  const row = newMemoryRow(write, n, arrival, placement);
  await insertRows(tx, 'memories', [row]);
  const former = row.parent === null ? [] : [{ other: row.parent, kind: 'updates' as const }];
  await insertRelations(tx, n, [...former, ...placement.relations], now);
  if (row.version > 1 || row.is_latest === 0)
    await arrangeChain(tx, placement.versions.toSpliced(placement.position, 0, row));
  await settleChains(tx, placement.ended);
  write.words.push({ n, tagNumbers: container.tagNumbers, body: prepared.body, extra: '' });
  for (const [space, vector] of prepared.vectors) write.vectors.get(space)?.push({ n, vector });
  return row;
};

/** One memory with a known place. */
export const insertPlacedMemory = async (
  write: MemoryWrite,
  arrival: Pick<Arrival, 'prepared' | 'said'>,
  placement: Placement,
): Promise<MemoryRow> => {
  const gathered = gathering(write);
  const row = await insertMemory(gathered, arrival, placement);
  await indexGathered(gathered);
  return row;
};

/** The chunks of one document that state a memory; null: the document as a whole. */
interface StatingChunks {
  doc: number;
  chunks: readonly string[] | null;
}

export const addSources = async (
  { tx, now }: WriteContext,
  memory: number,
  { doc, chunks }: StatingChunks,
): Promise<void> => {
  for (const chunk of chunks ?? [''])
    await run(
      tx,
      'insert into memory_sources (memory, doc, chunk, created_at) values ($1, $2, $3, $4) on conflict do nothing',
      [memory, doc, chunk, now],
    );
};

/** Joins two equal statements: static if either is, a guess if both are, with the later expiry of the two. */
const restate = async (tx: Db, known: MemoryRow, { prepared: again, said }: Arrival): Promise<MemoryRow> => {
  const longer =
    known.forget_after !== null && (again.forgetAfter === null || again.forgetAfter > known.forget_after);
  const changes = {
    ...(again.isStatic && known.is_static === 0 ? { is_static: 1 } : {}),
    ...(!again.isInference && known.is_inference === 1 ? { is_inference: 0 } : {}),
    ...(longer ? { forget_after: again.forgetAfter, forget_reason: again.forgetReason } : {}),
    ...(wasSaidBefore(spokenTime(known), said) ? { said_at: said.saidAt, heard_at: said.heardAt } : {}),
  };
  if (Object.keys(changes).length === 0) return known;
  await tx.updateTable('memories').set(changes).where('n', '=', known.n).execute();
  return { ...known, ...changes };
};

/** An adjacent version with the same fact. */
const neighbourOfSameFact = async (
  tx: Db,
  { prepared }: Arrival,
  { versions, position: place }: Placement,
): Promise<MemoryRow | undefined> => {
  const fact = statementKey(prepared.memory);
  const twin = [versions[place - 1], versions[place]].find(
    (version) => version?.fact === fact && version.is_forgotten === 0,
  );
  return twin && memoryByNumber(tx, twin.n);
};

/** A known memory was stated again, with the word that it replaces another one: that one is no longer valid. */
const endReplaced = async (
  { tx, now, container }: GatheringWrite,
  known: MemoryRow,
  { relations }: Arrival,
): Promise<void> => {
  for (const { kind, to } of relations) {
    if (kind !== 'replaces' || !('known' in to)) continue;
    const replaced = await memoryById(tx, to.known);
    if (replaced?.container !== container.container || replaced.root === known.root) continue;
    const last = (await chainVersions(tx, replaced.root)).at(-1) ?? replaced;
    await insertRelations(tx, known.n, [{ other: last.n, kind: 'updates' }], now);
    await settleChains(tx, [replaced.root]);
  }
};

const storeArrival = async (
  write: GatheringWrite,
  arrival: Arrival,
  context: ArrivalContext,
): Promise<MemoryRow> => {
  const { tx, now, container } = write;
  const known = await liveMemoryOfFact(tx, container.container, arrival.prepared.memory, now);
  if (known) {
    await endReplaced(write, known, arrival);
    return restate(tx, known, arrival);
  }
  const placement = await findPlacement(tx, arrival, context);
  const twin = await neighbourOfSameFact(tx, arrival, placement);
  if (!twin) return insertMemory(write, arrival, placement);
  await insertRelations(tx, twin.n, placement.relations, now);
  await arrangeChain(tx, placement.versions);
  await settleChains(tx, placement.ended);
  return restate(tx, twin, arrival);
};

/** The document that states them. */
export interface StatingDocument {
  doc: number;
  below: ArrivalContext['below'];
  /**
   * Statements of its passages since this time came from an earlier run of the same reading, which was cut off. A memory
   * that a person has forgotten or changed meanwhile must not come back.
   */
  statedSince: number;
}

/** The memories by their facts that a former run stored for these passages and that are valid no more. */
const formerOfPassages = async (
  { tx, now }: MemoryWrite,
  { doc, statedSince }: StatingDocument,
  arrivals: readonly Arrival[],
): Promise<Map<string, MemoryRow>> => {
  const chunks = [...new Set(arrivals.flatMap(({ chunks: stating }) => stating ?? []))];
  if (chunks.length === 0) return new Map();
  const rows = await tx
    .selectFrom('memory_sources')
    .innerJoin('memories', 'memories.n', 'memory_sources.memory')
    .selectAll('memories')
    .where('memory_sources.doc', '=', doc)
    .where('memory_sources.chunk', 'in', textList(chunks))
    .where('memory_sources.created_at', '>=', statedSince)
    .where(({ not }) => not(isLive(now)))
    .execute();
  return new Map(rows.map((row) => [row.fact, row]));
};

/** In order, because a later one may update an earlier one of the same text. Null for a memory without a remaining chunk. */
export const storeArrivals = async (
  write: MemoryWrite,
  document: StatingDocument,
  arrivals: readonly Arrival[],
): Promise<(MemoryRow | null)[]> => {
  const { doc, below } = document;
  const former = await formerOfPassages(write, document, arrivals);
  const gathered = gathering(write);
  const stored: (MemoryRow | null)[] = [];
  for (const arrival of arrivals) {
    if (arrival.chunks?.length === 0) {
      stored.push(null);
      continue;
    }
    const known = former.get(statementKey(arrival.prepared.memory));
    if (known) {
      stored.push(known);
      continue;
    }
    const context = { container: write.container.container, stored, below };
    const row = await storeArrival(gathered, arrival, context);
    await addSources(write, row.n, { doc, chunks: arrival.chunks });
    stored.push(row);
  }
  await indexGathered(gathered);
  return stored;
};
