// From memory rows to the records of the port.
import { type Selectable, sql } from 'kysely';
import type { Reach } from '../../../lib/scope.ts';
import type { MemoryDetail, MemoryRecord } from '../memory-port.ts';
import type { Db, MemoriesTable } from '../tables.ts';
import { inList, withMemories } from './visible.ts';

export type MemoryRow = Selectable<MemoriesTable>;

const jsonOf = <T>(text: string | null, otherwise: T): T => (text === null ? otherwise : JSON.parse(text));

interface Surroundings {
  tags: Map<number, string[]>;
  ids: Map<number, string>;
  sources: Map<number, string[]>;
}

/** Forgotten outright, or its time is over: judged at the moment of the question. */
export const isForgotten = (row: Pick<MemoryRow, 'is_forgotten' | 'forget_after'>, now: number): boolean =>
  row.is_forgotten === 1 || (row.forget_after !== null && row.forget_after <= now);

const recordOf = (row: MemoryRow, around: Surroundings, now: number): MemoryRecord => ({
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
  metadata: jsonOf(row.metadata, null),
  documentDate: row.document_date,
  eventDates: jsonOf(row.event_dates, []),
  parentId: row.parent === null ? null : (around.ids.get(row.parent) ?? null),
  rootId: row.root === row.n ? null : (around.ids.get(row.root) ?? null),
  sourceCount: around.sources.get(row.n)?.length ?? 0,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const tagsOf = async (db: Db, containers: readonly number[]): Promise<Map<number, string[]>> => {
  const rows = await db
    .selectFrom('container_tags')
    .innerJoin('tags', 'tags.n', 'container_tags.tag')
    .select(['container_tags.container', 'tags.tag'])
    .where('container_tags.container', 'in', inList([...new Set(containers)]))
    .orderBy('tags.n')
    .execute();
  const byContainer = new Map<number, string[]>();
  for (const { container, tag } of rows)
    byContainer.set(container, [...(byContainer.get(container) ?? []), tag]);
  return byContainer;
};

const idsOf = async (db: Db, reach: Reach, ns: readonly number[]): Promise<Map<number, string>> => {
  const rows = await withMemories(db, reach)
    .selectFrom('visible_memories')
    .select(['n', 'id'])
    .where('n', 'in', inList([...new Set(ns)]))
    .execute();
  return new Map(rows.map((row) => [row.n, row.id]));
};

const sourcesOf = async (db: Db, reach: Reach, ns: readonly number[]): Promise<Map<number, string[]>> => {
  const rows = await withMemories(db, reach)
    .selectFrom('memory_sources')
    .innerJoin('visible', 'visible.n', 'memory_sources.doc')
    .select(['memory_sources.memory', 'visible.id'])
    .distinct()
    .where('memory_sources.memory', 'in', inList(ns))
    .orderBy('memory_sources.doc')
    .execute();
  const byMemory = new Map<number, string[]>();
  for (const { memory, id } of rows) byMemory.set(memory, [...(byMemory.get(memory) ?? []), id]);
  return byMemory;
};

const surroundings = async (db: Db, reach: Reach, rows: readonly MemoryRow[]): Promise<Surroundings> => ({
  tags: await tagsOf(
    db,
    rows.map((row) => row.container),
  ),
  ids: await idsOf(
    db,
    reach,
    rows.flatMap((row) => (row.parent === null ? [row.root] : [row.root, row.parent])),
  ),
  sources: await sourcesOf(
    db,
    reach,
    rows.map((row) => row.n),
  ),
});

export const recordsOf = async (
  db: Db,
  reach: Reach,
  rows: readonly MemoryRow[],
  now: number,
): Promise<MemoryRecord[]> => {
  if (rows.length === 0) return [];
  const around = await surroundings(db, reach, rows);
  return rows.map((row) => recordOf(row, around, now));
};

const historyOf = async (
  db: Db,
  reach: Reach,
  rows: readonly MemoryRow[],
  now: number,
): Promise<Map<number, MemoryRecord[]>> => {
  const earlier = await withMemories(db, reach)
    .selectFrom('visible_memories')
    .selectAll()
    .where('root', 'in', inList([...new Set(rows.map((row) => row.root))]))
    .orderBy('version', 'desc')
    .execute();
  const records = await recordsOf(db, reach, earlier, now);
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

const relationsOf = async (db: Db, reach: Reach, ns: readonly number[]) => {
  const rows = await withMemories(db, reach)
    .selectFrom('memory_relations')
    .innerJoin('visible_memories', 'visible_memories.n', 'memory_relations.other')
    .select(['memory_relations.memory', 'memory_relations.kind', 'visible_memories.id'])
    .where('memory_relations.memory', 'in', inList(ns))
    .execute();
  return Map.groupBy(rows, (row) => row.memory);
};

export const detailsOf = async (
  db: Db,
  reach: Reach,
  rows: readonly MemoryRow[],
  now: number,
): Promise<MemoryDetail[]> => {
  if (rows.length === 0) return [];
  const ns = rows.map((row) => row.n);
  const around = await surroundings(db, reach, rows);
  const histories = await historyOf(db, reach, rows, now);
  const relations = await relationsOf(db, reach, ns);
  return rows.map((row) => ({
    ...recordOf(row, around, now),
    documentIds: around.sources.get(row.n) ?? [],
    history: histories.get(row.n) ?? [],
    relations: (relations.get(row.n) ?? []).map(({ id, kind }) => ({ id, kind })),
  }));
};

/** Written out, for an index of the latest alone does not serve a value that is bound later. */
export const IS_LATEST = sql<boolean>`is_latest = 1`;

export const isLive = (now: number) =>
  sql<boolean>`(is_latest = 1 and is_forgotten = 0 and (forget_after is null or forget_after > ${now}))`;
