// Turns memory rows into the records of the port.
import { type Selectable, type SqlBool, sql } from '#kysely';
import type { Reach } from '../../../core/scope.ts';
import { numberList } from '../engine/lists.ts';
import type { MemoryDetail, MemoryRecord, MemoryRelation } from '../ports/memories/memories.ts';
import type { Db, MemoriesTable } from '../tables/tables.ts';
import { parsedOr } from './json.ts';
import { withMemories } from './scoped-views.ts';

export type MemoryRow = Selectable<MemoriesTable>;

interface Surroundings {
  tags: Map<number, string[]>;
  ids: Map<number, string>;
  sources: Map<number, string[]>;
}

/** Forgotten, or expired at the time of the query. */
export const isForgotten = (row: Pick<MemoryRow, 'is_forgotten' | 'forget_after'>, now: number): boolean =>
  row.is_forgotten === 1 || (row.forget_after !== null && row.forget_after <= now);

const memoryRecord = (row: MemoryRow, around: Surroundings, now: number): MemoryRecord => ({
  n: row.n,
  id: row.id,
  memory: row.memory,
  tags: around.tags.get(row.container) ?? [],
  container: row.container,
  version: row.version,
  isLatest: row.is_latest === 1,
  isStatic: row.is_static === 1,
  isInference: row.is_inference === 1,
  isForgotten: isForgotten(row, now),
  slot: row.slot,
  about: row.about,
  forgetAfter: row.forget_after,
  forgetReason: row.forget_reason,
  review: row.review as MemoryRecord['review'],
  metadata: parsedOr(row.metadata, null),
  documentDate: row.document_date,
  eventDates: parsedOr(row.event_dates, []),
  parentId: row.parent === null ? null : (around.ids.get(row.parent) ?? null),
  rootId: row.root === row.n ? null : (around.ids.get(row.root) ?? null),
  sourceCount: around.sources.get(row.n)?.length ?? 0,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const tagsByContainer = async (db: Db, containers: readonly number[]): Promise<Map<number, string[]>> => {
  const rows = await db
    .selectFrom('container_tags')
    .innerJoin('tags', 'tags.n', 'container_tags.tag')
    .select(['container_tags.container', 'tags.tag'])
    .where('container_tags.container', 'in', numberList([...new Set(containers)]))
    .orderBy('tags.n')
    .execute();
  const byContainer = new Map<number, string[]>();
  for (const { container, tag } of rows)
    byContainer.set(container, [...(byContainer.get(container) ?? []), tag]);
  return byContainer;
};

const memoryIds = async (db: Db, reach: Reach, ns: readonly number[]): Promise<Map<number, string>> => {
  const rows = await withMemories(db, reach)
    .selectFrom('visible_memories')
    .select(['n', 'id'])
    .where('n', 'in', numberList([...new Set(ns)]))
    .execute();
  return new Map(rows.map((row) => [row.n, row.id]));
};

const sourceIds = async (db: Db, reach: Reach, ns: readonly number[]): Promise<Map<number, string[]>> => {
  const rows = await withMemories(db, reach)
    .selectFrom('memory_sources')
    .innerJoin('visible', 'visible.n', 'memory_sources.doc')
    .select(['memory_sources.memory', 'memory_sources.doc', 'visible.id'])
    .distinct()
    .where('memory_sources.memory', 'in', numberList(ns))
    .orderBy('memory_sources.doc')
    .execute();
  const byMemory = new Map<number, string[]>();
  for (const { memory, id } of rows) byMemory.set(memory, [...(byMemory.get(memory) ?? []), id]);
  return byMemory;
};

const readSurroundings = async (db: Db, reach: Reach, rows: readonly MemoryRow[]): Promise<Surroundings> => ({
  tags: await tagsByContainer(
    db,
    rows.map((row) => row.container),
  ),
  ids: await memoryIds(
    db,
    reach,
    rows.flatMap((row) => (row.parent === null ? [row.root] : [row.root, row.parent])),
  ),
  sources: await sourceIds(
    db,
    reach,
    rows.map((row) => row.n),
  ),
});

export const memoryRecords = async (
  db: Db,
  reach: Reach,
  rows: readonly MemoryRow[],
  now: number,
): Promise<MemoryRecord[]> => {
  if (rows.length === 0) return [];
  const around = await readSurroundings(db, reach, rows);
  return rows.map((row) => memoryRecord(row, around, now));
};

const earlierVersions = async (
  db: Db,
  reach: Reach,
  rows: readonly MemoryRow[],
  now: number,
): Promise<Map<number, MemoryRecord[]>> => {
  const earlier = await withMemories(db, reach)
    .selectFrom('visible_memories')
    .selectAll()
    .where('root', 'in', numberList([...new Set(rows.map((row) => row.root))]))
    .orderBy('version', 'desc')
    .execute();
  const records = await memoryRecords(db, reach, earlier, now);
  const byRoot = Map.groupBy(
    records.map((record, index) => ({ record, root: earlier[index]?.root ?? 0 })),
    ({ root }) => root,
  );
  return new Map(
    rows.map((row) => [
      row.n,
      (byRoot.get(row.root) ?? [])
        .map(({ record }) => record)
        .filter((record) => record.version < row.version),
    ]),
  );
};

/** Doubts and hints are for the order alone. */
export const isShownRelation = sql<SqlBool>`memory_relations.kind not in ('doubts', 'hints')`;

const relationsByMemory = async (db: Db, reach: Reach, ns: readonly number[]) => {
  const rows = await withMemories(db, reach)
    .selectFrom('memory_relations')
    .innerJoin('visible_memories', 'visible_memories.n', 'memory_relations.other')
    .select(['memory_relations.memory', 'memory_relations.kind', 'visible_memories.id'])
    .where('memory_relations.memory', 'in', numberList(ns))
    .where(isShownRelation)
    .$narrowType<{ kind: MemoryRelation }>()
    .execute();
  return Map.groupBy(rows, (row) => row.memory);
};

export const memoryDetails = async (
  db: Db,
  reach: Reach,
  rows: readonly MemoryRow[],
  now: number,
): Promise<MemoryDetail[]> => {
  if (rows.length === 0) return [];
  const ns = rows.map((row) => row.n);
  const around = await readSurroundings(db, reach, rows);
  const histories = await earlierVersions(db, reach, rows, now);
  const relations = await relationsByMemory(db, reach, ns);
  return rows.map((row) => ({
    ...memoryRecord(row, around, now),
    documentIds: around.sources.get(row.n) ?? [],
    history: histories.get(row.n) ?? [],
    relations: (relations.get(row.n) ?? []).map(({ id, kind }) => ({ id, kind })),
  }));
};

/** Written out, because SQLite does not use a partial index for a bound value. */
export const IS_LATEST = sql<boolean>`is_latest = 1`;

export const isLive = (now: number) =>
  sql<boolean>`(is_latest = 1 and is_forgotten = 0 and (forget_after is null or forget_after > ${now}))`;
