// Reading memories for a caller: one, a list, the live ones, by number, their relatives, those of documents.
import { type SqlBool, sql } from 'kysely';
import { factOf } from '../../../lib/fact.ts';
import type { Reach } from '../../../lib/scope.ts';
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
} from '../memory-port.ts';
import type { Filter, Restriction } from '../port.ts';
import type { Db } from '../tables.ts';
import { restrictedMemories } from './filters.ts';
import { detailsOf, IS_LATEST, isForgotten, isLive, type MemoryRow, recordsOf } from './memory-rows.ts';
import { containersWithAny, inList, withMemories } from './visible.ts';

const EVERYWHERE: Reach = { reads: null, holds: null };

const byId = (db: Db, reach: Reach, id: string) =>
  withMemories(db, reach).selectFrom('visible_memories').select('n').where('id', '=', id).executeTakeFirst();

/** An id is looked for everywhere, so that a foreign one is told from a missing one; it says nothing more. */
const isForeign = async (db: Db, reach: Reach, id: string): Promise<boolean> =>
  reach.reads !== null && !(await byId(db, reach, id)) && (await byId(db, EVERYWHERE, id)) !== undefined;

const named = (db: Db, reach: Reach, { tags, id, content = '' }: MemoryTarget, now: number) => {
  const inTags = withMemories(db, reach)
    .selectFrom('visible_memories')
    .selectAll()
    .where('container', 'in', containersWithAny(tags));
  if (id !== undefined) return inTags.where('id', '=', id);
  // By the fact, for that is indexed; then by the text, for it may be dressed otherwise. A live one counts first.
  return inTags
    .where('fact', '=', factOf(content))
    .where('memory', '=', content)
    .where(IS_LATEST)
    .orderBy(isLive(now), 'desc')
    .orderBy('n', 'desc');
};

/** The root of the chain that took the place of this one, though it is another. */
const replacing = async (db: Db, reach: Reach, root: number): Promise<number | null> => {
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

const latestOf = async (db: Db, reach: Reach, first: number): Promise<string | null> => {
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
    root = await replacing(db, reach, root);
  }
  return null;
};

export const findMemory = async (
  db: Db,
  reach: Reach,
  target: MemoryTarget,
  now: number,
): Promise<MemoryFound> => {
  const row = await named(db, reach, target, now).executeTakeFirst();
  const [memory] = row ? await recordsOf(db, reach, [row], now) : [];
  if (row && memory) return { outcome: 'found', memory, latest: await latestOf(db, reach, row.root) };
  const foreign = target.id !== undefined && (await isForeign(db, reach, target.id));
  return { outcome: foreign ? 'foreign' : 'missing' };
};

export const memoriesAmong = async (
  db: Db,
  reach: Reach,
  { tags, ids }: { tags: readonly string[]; ids: readonly string[] },
  now: number,
): Promise<MemoryRecord[]> => {
  const rows = await withMemories(db, reach)
    .selectFrom('visible_memories')
    .selectAll()
    .where('id', 'in', inList(ids))
    .where('container', 'in', containersWithAny(tags))
    .where(isLive(now))
    .execute();
  const records = await recordsOf(db, reach, rows, now);
  const found = new Map(records.map((record) => [record.id, record]));
  return [...new Set(ids)].flatMap((id) => found.get(id) ?? []);
};

const sortColumn = { createdAt: 'memories.created_at', updatedAt: 'memories.updated_at' } as const;

const filtered = (reach: Reach, filter: Filter | undefined) =>
  restrictedMemories(reach, filter === undefined ? {} : { filter });

export const listMemories = async (
  db: Db,
  reach: Reach,
  query: MemoryList,
  now: number,
): Promise<{ memories: MemoryDetail[]; total: number }> => {
  let chosen = withMemories(db, reach)
    .selectFrom('visible_memories as memories')
    .where(IS_LATEST)
    .where(filtered(reach, query.filter));
  if (!query.forgotten) chosen = chosen.where(isLive(now));
  if (query.isStatic !== undefined) chosen = chosen.where('is_static', '=', query.isStatic ? 1 : 0);
  if (query.isInference !== undefined) chosen = chosen.where('is_inference', '=', query.isInference ? 1 : 0);
  const { total } = await chosen.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  const rows = await chosen
    .selectAll('memories')
    .orderBy(sortColumn[query.sort], query.order)
    .orderBy('memories.n', query.order)
    .limit(query.limit)
    .offset(query.offset)
    .execute();
  return { memories: await detailsOf(db, reach, rows, now), total };
};

export const liveMemories = async (
  db: Db,
  reach: Reach,
  query: { filter?: Filter; limit: number },
  now: number,
): Promise<MemoryRecord[]> => {
  const rows = await withMemories(db, reach)
    .selectFrom('visible_memories as memories')
    .selectAll('memories')
    .where(isLive(now))
    .where(sql<SqlBool>`review is not 'declined'`)
    .where(filtered(reach, query.filter))
    .orderBy('memories.updated_at', 'desc')
    .orderBy('memories.n', 'desc')
    .limit(query.limit)
    .execute();
  return recordsOf(db, reach, rows, now);
};

const PARENTS = sql<number>`(select count(*) from memory_relations
  where memory_relations.memory = memories.n and memory_relations.kind = 'derives')`;

export const inferredMemories = async (
  db: Db,
  reach: Reach,
  limit: number,
  now: number,
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
  const records = await recordsOf(db, reach, rows, now);
  return {
    memories: records.map((record, at) => ({ ...record, parentCount: rows[at]?.parents ?? 0 })),
    total,
  };
};

export const memoriesByNumber = async (
  db: Db,
  reach: Reach,
  restriction: Restriction,
  ns: readonly number[],
  now: number,
): Promise<MemoryDetail[]> => {
  if (ns.length === 0) return [];
  let chosen = withMemories(db, reach)
    .selectFrom('visible_memories as memories')
    .selectAll('memories')
    .where('memories.n', 'in', inList(ns))
    .where(restrictedMemories(reach, restriction));
  if (!restriction.forgotten) chosen = chosen.where(isLive(now));
  return detailsOf(db, reach, await chosen.execute(), now);
};

export const memoriesOfDocuments = async (
  db: Db,
  reach: Reach,
  documents: readonly number[],
  now: number,
): Promise<Map<number, MemoryDetail[]>> => {
  const sources = await withMemories(db, reach)
    .selectFrom('memory_sources')
    .innerJoin('visible_memories', 'visible_memories.n', 'memory_sources.memory')
    .select(['memory_sources.doc', 'memory_sources.memory'])
    .distinct()
    .where('memory_sources.doc', 'in', inList(documents))
    .orderBy('memory_sources.memory')
    .execute();
  const ns = [...new Set(sources.map((source) => source.memory))];
  const rows = await withMemories(db, reach)
    .selectFrom('visible_memories')
    .selectAll()
    .where('n', 'in', inList(ns))
    .execute();
  const details = new Map((await detailsOf(db, reach, rows, now)).map((detail) => [detail.n, detail]));
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
  /** It says so of the other one, and not the other one of it. */
  outward: boolean;
}

const rowsOf = (db: Db, reach: Reach, ns: readonly number[]): Promise<MemoryRow[]> =>
  withMemories(db, reach).selectFrom('visible_memories').selectAll().where('n', 'in', inList(ns)).execute();

const linksOf = async (db: Db, reach: Reach, ns: readonly number[]): Promise<Link[]> => {
  const rows = await db
    .selectFrom('memory_relations')
    .selectAll()
    .where((eb) => eb.or([eb('memory', 'in', inList(ns)), eb('other', 'in', inList(ns))]))
    .execute();
  const others = await rowsOf(db, reach, [...new Set(rows.flatMap((row) => [row.memory, row.other]))]);
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

const relativeOf = (row: MemoryRow, relation: MemoryRelation, version: number | null): Relative => ({
  id: row.id,
  memory: row.memory,
  relation,
  version,
  metadata: row.metadata === null ? null : JSON.parse(row.metadata),
  updatedAt: row.updated_at,
});

/** All versions of the chain, the nearest first; beside it what it replaced elsewhere, and what else is related. */
const relativesIn = (row: MemoryRow, chain: readonly MemoryRow[], links: readonly Link[]): Relatives => {
  const place = (other: MemoryRow) => relativeOf(other, 'updates', other.version - row.version);
  const before = chain.filter((other) => other.version < row.version).toReversed();
  const after = chain.filter((other) => other.version > row.version);
  const replaced = links.filter((link) => link.kind === 'updates' && link.other.root !== row.root);
  const beside = (outward: boolean) =>
    replaced
      .filter((link) => link.outward === outward)
      .map((link) => relativeOf(link.other, link.kind, null));
  return {
    parents: [...before.map(place), ...beside(true)],
    children: [...after.map(place), ...beside(false)],
    related: links
      .filter((link) => link.kind !== 'updates')
      .map((link) => relativeOf(link.other, link.kind, null)),
  };
};

export const relativesOf = async (
  db: Db,
  reach: Reach,
  ns: readonly number[],
  forgotten: boolean,
  now: number,
): Promise<Map<number, Relatives>> => {
  const shown = (row: MemoryRow): boolean => forgotten || !isForgotten(row, now);
  const rows = await rowsOf(db, reach, ns);
  const chains = await withMemories(db, reach)
    .selectFrom('visible_memories')
    .selectAll()
    .where('root', 'in', inList([...new Set(rows.map((row) => row.root))]))
    .orderBy('version')
    .execute();
  const byRoot = Map.groupBy(chains.filter(shown), (row) => row.root);
  const shownLinks = (await linksOf(db, reach, ns)).filter((link) => shown(link.other));
  const links = Map.groupBy(shownLinks, (link) => link.of);
  return new Map(
    rows.map((row) => [row.n, relativesIn(row, byRoot.get(row.root) ?? [], links.get(row.n) ?? [])]),
  );
};
