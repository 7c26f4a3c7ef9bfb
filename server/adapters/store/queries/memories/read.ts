// Reading memories for a caller: one, a list, the live ones, by number, their relatives, those of documents.
import { type SqlBool, sql } from '#kysely';
import { type Reach, WHOLE_REACH } from '../../../../core/scope.ts';
import { statementKey } from '../../../../core/statements/statement-key.ts';
import { everywhere } from '../../engine/engine.ts';
import { numberList, textList } from '../../engine/lists.ts';
import type {
  InferredMemory,
  MemoryDetail,
  MemoryFound,
  MemoryList,
  MemoryRecord,
  MemoryRelation,
  MemoryTarget,
  Relative,
  Relatives,
} from '../../ports/memories/memories.ts';
import type { ScopedRead } from '../../statements/contexts.ts';
import {
  type EvaluatedRestriction,
  type FilterNumbers,
  memoryRestriction,
  onlyAllowed,
} from '../../statements/filters.ts';
import {
  IS_LATEST,
  isForgotten,
  isLive,
  isShownRelation,
  type MemoryRow,
  memoryDetails,
  memoryRecords,
} from '../../statements/memory-rows.ts';
import { containersWithAny, withMemories } from '../../statements/scoped-views.ts';
import type { Db } from '../../tables/tables.ts';

const memoryWithId = (db: Db, reach: Reach, id: string) =>
  withMemories(db, reach).selectFrom('visible_memories').select('n').where('id', '=', id).executeTakeFirst();

/** Looks for the id everywhere, to distinguish a foreign memory from a missing one; it reveals nothing else. */
const isForeign = async (db: Db, reach: Reach, id: string): Promise<boolean> =>
  reach.reads !== null &&
  !(await memoryWithId(db, reach, id)) &&
  (await memoryWithId(everywhere(db), WHOLE_REACH, id)) !== undefined;

const memoriesMatching = (db: Db, reach: Reach, { tags, id, content = '' }: MemoryTarget, now: number) => {
  const inTags = withMemories(db, reach)
    .selectFrom('visible_memories')
    .selectAll()
    .where('container', 'in', containersWithAny(tags));
  if (id !== undefined) return inTags.where('id', '=', id);
  // First by the fact, which is indexed; then by the exact text. A live memory comes first.
  return inTags
    .where('fact', '=', statementKey(content))
    .where('memory', '=', content)
    .where(IS_LATEST)
    .orderBy(isLive(now), 'desc')
    .orderBy('n', 'desc');
};

/** The root of another chain that replaced this one. */
const replacingChain = async (db: Db, reach: Reach, root: number): Promise<number | null> => {
  const row = await withMemories(db, reach)
    .selectFrom('visible_memories as former')
    .innerJoin('memory_relations', 'memory_relations.other', 'former.n')
    .innerJoin('visible_memories as later', 'later.n', 'memory_relations.memory')
    .select('later.root')
    .where('former.root', '=', root)
    .where('memory_relations.kind', '=', 'updates')
    .whereRef('later.root', '<>', 'former.root')
    .executeTakeFirst();
  return row?.root ?? null;
};

const latestInChain = async (db: Db, reach: Reach, first: number): Promise<string | null> => {
  const seen = new Set<number>();
  for (let root: number | null = first; root !== null && !seen.has(root); ) {
    const row = await withMemories(db, reach)
      .selectFrom('visible_memories')
      .select('id')
      .where('root', '=', root)
      .where(IS_LATEST)
      .executeTakeFirst();
    if (row) return row.id;
    seen.add(root);
    root = await replacingChain(db, reach, root);
  }
  return null;
};

const findMemory = async ({ db, reach, now }: ScopedRead, target: MemoryTarget): Promise<MemoryFound> => {
  const row = await memoriesMatching(db, reach, target, now).executeTakeFirst();
  const [memory] = row ? await memoryRecords(db, reach, [row], now) : [];
  if (row && memory) return { outcome: 'found', memory, latest: await latestInChain(db, reach, row.root) };
  const foreign = target.id !== undefined && (await isForeign(db, reach, target.id));
  return { outcome: foreign ? 'foreign' : 'missing' };
};

const memoriesAmong = async (
  { db, reach, now }: ScopedRead,
  { tags, ids }: { tags: readonly string[]; ids: readonly string[] },
): Promise<MemoryRecord[]> => {
  const rows = await withMemories(db, reach)
    .selectFrom('visible_memories')
    .selectAll()
    .where('id', 'in', textList(ids))
    .where('container', 'in', containersWithAny(tags))
    .where(isLive(now))
    .execute();
  const records = await memoryRecords(db, reach, rows, now);
  const found = new Map(records.map((record) => [record.id, record]));
  return [...new Set(ids)].flatMap((id) => found.get(id) ?? []);
};

const memorySortColumn = { createdAt: 'memories.created_at', updatedAt: 'memories.updated_at' } as const;

type EvaluatedMemoryList = Omit<MemoryList, 'filter'> & Pick<EvaluatedRestriction, 'filter' | 'allowed'>;

export const listMemories = async (
  { db, reach, now }: ScopedRead,
  query: EvaluatedMemoryList,
): Promise<{ memories: MemoryDetail[]; total: number }> => {
  let chosen = withMemories(db, reach)
    .selectFrom('visible_memories as memories')
    .where(IS_LATEST)
    .where(memoryRestriction(reach, onlyAllowed(query)));
  if (!query.forgotten) chosen = chosen.where(isLive(now));
  if (query.isStatic !== undefined) chosen = chosen.where('is_static', '=', query.isStatic ? 1 : 0);
  if (query.isInference !== undefined) chosen = chosen.where('is_inference', '=', query.isInference ? 1 : 0);
  const { total } = await chosen.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  const rows = await chosen
    .selectAll('memories')
    .orderBy(memorySortColumn[query.sort], query.order)
    .orderBy('memories.n', query.order)
    .limit(query.limit)
    .offset(query.offset)
    .execute();
  return { memories: await memoryDetails(db, reach, rows, now), total };
};

export const liveMemories = async (
  { db, reach, now }: ScopedRead,
  query: { allowed?: FilterNumbers; limit: number },
): Promise<MemoryRecord[]> => {
  const rows = await withMemories(db, reach)
    .selectFrom('visible_memories as memories')
    .selectAll('memories')
    .where(isLive(now))
    .where(sql<SqlBool>`review is distinct from 'declined'`)
    .where(memoryRestriction(reach, onlyAllowed(query)))
    .orderBy('memories.updated_at', 'desc')
    .orderBy('memories.n', 'desc')
    .limit(query.limit)
    .execute();
  return memoryRecords(db, reach, rows, now);
};

const PARENTS = sql<number>`(select count(*) from memory_relations
  where memory_relations.memory = memories.n and memory_relations.kind = 'derives')`;

export const inferredMemories = async (
  { db, reach, now }: ScopedRead,
  limit: number,
): Promise<{ memories: InferredMemory[]; total: number }> => {
  const waiting = withMemories(db, reach)
    .selectFrom('visible_memories as memories')
    .where('is_inference', '=', sql.lit(1))
    .where('review', 'is', null)
    .where(isLive(now));
  const { total } = await waiting.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  const rows = await waiting
    .selectAll('memories')
    .select(PARENTS.as('parents'))
    .orderBy('parents', 'desc')
    .orderBy('memories.created_at', 'desc')
    .orderBy('memories.n', 'desc')
    .limit(limit)
    .execute();
  const records = await memoryRecords(db, reach, rows, now);
  return {
    memories: records.map((record, at) => ({ ...record, parentCount: rows[at]?.parents ?? 0 })),
    total,
  };
};

export const memoriesByNumber = async (
  { db, reach, now }: ScopedRead,
  restriction: EvaluatedRestriction,
  ns: readonly number[],
): Promise<MemoryDetail[]> => {
  if (ns.length === 0) return [];
  let chosen = withMemories(db, reach)
    .selectFrom('visible_memories as memories')
    .selectAll('memories')
    .where('memories.n', 'in', numberList(ns))
    .where(memoryRestriction(reach, restriction));
  if (!restriction.forgotten) chosen = chosen.where(isLive(now));
  return memoryDetails(db, reach, await chosen.execute(), now);
};

const memoriesOfDocuments = async (
  { db, reach, now }: ScopedRead,
  documents: readonly number[],
): Promise<Map<number, MemoryDetail[]>> => {
  const sources = await withMemories(db, reach)
    .selectFrom('memory_sources')
    .innerJoin('visible_memories', 'visible_memories.n', 'memory_sources.memory')
    .select(['memory_sources.doc', 'memory_sources.memory'])
    .distinct()
    .where('memory_sources.doc', 'in', numberList(documents))
    .orderBy('memory_sources.memory')
    .execute();
  const ns = [...new Set(sources.map((source) => source.memory))];
  const rows = await withMemories(db, reach)
    .selectFrom('visible_memories')
    .selectAll()
    .where('n', 'in', numberList(ns))
    .execute();
  const details = new Map((await memoryDetails(db, reach, rows, now)).map((detail) => [detail.n, detail]));
  const byDocument = new Map<number, MemoryDetail[]>();
  for (const { doc, memory } of sources) {
    const detail = details.get(memory);
    if (detail) byDocument.set(doc, [...(byDocument.get(doc) ?? []), detail]);
  }
  return byDocument;
};

// --- relatives ---------------------------------------------------------------------------------------

interface Link {
  of: number;
  other: MemoryRow;
  kind: MemoryRelation;
  /** True if the relation starts at this memory and not at the other. */
  outward: boolean;
}

const memoryRowsByNumber = (db: Db, reach: Reach, ns: readonly number[]): Promise<MemoryRow[]> =>
  withMemories(db, reach)
    .selectFrom('visible_memories')
    .selectAll()
    .where('n', 'in', numberList(ns))
    .execute();

const memoryLinks = async (db: Db, reach: Reach, ns: readonly number[]): Promise<Link[]> => {
  const rows = await db
    .selectFrom('memory_relations')
    .select(['memory', 'other', 'kind'])
    .where(isShownRelation)
    .$narrowType<{ kind: MemoryRelation }>()
    .where((eb) => eb.or([eb('memory', 'in', numberList(ns)), eb('other', 'in', numberList(ns))]))
    .execute();
  const others = await memoryRowsByNumber(db, reach, [
    ...new Set(rows.flatMap((row) => [row.memory, row.other])),
  ]);
  const byNumber = new Map(others.map((row) => [row.n, row]));
  const asked = new Set(ns);
  return rows.flatMap(({ memory, other, kind }) =>
    [
      { of: memory, far: other, outward: true },
      { of: other, far: memory, outward: false },
    ].flatMap(({ of, far, outward }) => {
      const row = byNumber.get(far);
      return row && asked.has(of) ? [{ of, other: row, kind, outward }] : [];
    }),
  );
};

const relativeRecord = (row: MemoryRow, relation: MemoryRelation, version: number | null): Relative => ({
  id: row.id,
  memory: row.memory,
  relation,
  version,
  metadata: row.metadata === null ? null : JSON.parse(row.metadata),
  updatedAt: row.updated_at,
});

/** All versions of the chain, the nearest first; then memories of other chains that it replaced, and other relatives. */
const relativesIn = (row: MemoryRow, chain: readonly MemoryRow[], links: readonly Link[]): Relatives => {
  const place = (other: MemoryRow) => relativeRecord(other, 'updates', other.version - row.version);
  const before = chain.filter((other) => other.version < row.version).toReversed();
  const after = chain.filter((other) => other.version > row.version);
  const replaced = links.filter((link) => link.kind === 'updates' && link.other.root !== row.root);
  const beside = (outward: boolean) =>
    replaced
      .filter((link) => link.outward === outward)
      .map((link) => relativeRecord(link.other, link.kind, null));
  return {
    parents: [...before.map(place), ...beside(true)],
    children: [...after.map(place), ...beside(false)],
    related: links
      .filter((link) => link.kind !== 'updates')
      .map((link) => relativeRecord(link.other, link.kind, null)),
  };
};

const memoryRelatives = async (
  { db, reach, now }: ScopedRead,
  ns: readonly number[],
  forgotten: boolean,
): Promise<Map<number, Relatives>> => {
  const shown = (row: MemoryRow): boolean => forgotten || !isForgotten(row, now);
  const rows = await memoryRowsByNumber(db, reach, ns);
  const chains = await withMemories(db, reach)
    .selectFrom('visible_memories')
    .selectAll()
    .where('root', 'in', numberList([...new Set(rows.map((row) => row.root))]))
    .orderBy('version')
    .execute();
  const byRoot = Map.groupBy(chains.filter(shown), (row) => row.root);
  const shownLinks = (await memoryLinks(db, reach, ns)).filter((link) => shown(link.other));
  const links = Map.groupBy(shownLinks, (link) => link.of);
  return new Map(
    rows.map((row) => [row.n, relativesIn(row, byRoot.get(row.root) ?? [], links.get(row.n) ?? [])]),
  );
};

/** The reads of this file, under the names of the port. */
export const memoryReads = {
  find: findMemory,
  among: memoriesAmong,
  inferred: inferredMemories,
  relatives: memoryRelatives,
  ofDocuments: memoriesOfDocuments,
};
