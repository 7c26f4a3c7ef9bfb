// Reading memories for a caller: one, a list, the live ones, by number, their relatives, those of documents.
import { type SqlBool, sql } from 'kysely';
import type { Reach } from '../../../lib/scope.ts';
import type {
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
import { detailsOf, isLive, type MemoryRow, recordsOf } from './memory-rows.ts';
import { containersWithAny, inList, withMemories } from './visible.ts';

const existsAnywhere = async (db: Db, id: string): Promise<boolean> => {
  const row = await db
    .with('visible_ids', (query) => query.selectFrom('memories').select('id').where('id', '=', id))
    .selectFrom('visible_ids')
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
};

const named = (db: Db, reach: Reach, target: MemoryTarget) => {
  const inTag = withMemories(db, reach)
    .selectFrom('visible_memories')
    .selectAll()
    .where('container', 'in', containersWithAny([target.tag]));
  if (target.id !== undefined) return inTag.where('id', '=', target.id);
  return inTag
    .where('memory', '=', target.content ?? '')
    .where('is_latest', '=', 1)
    .orderBy('is_forgotten');
};

export const findMemory = async (
  db: Db,
  reach: Reach,
  target: MemoryTarget,
  now: number,
): Promise<MemoryFound> => {
  const row = await named(db, reach, target).orderBy('n', 'desc').executeTakeFirst();
  const [memory] = row ? await recordsOf(db, reach, [row], now) : [];
  if (memory) return { outcome: 'found', memory };
  const foreign = target.id !== undefined && (await existsAnywhere(db, target.id));
  return { outcome: foreign ? 'foreign' : 'missing' };
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
    .where('is_latest', '=', 1)
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
  outward: boolean;
}

const linksOf = async (db: Db, reach: Reach, ns: readonly number[]): Promise<Link[]> => {
  const rows = await withMemories(db, reach)
    .selectFrom('memory_relations')
    .selectAll()
    .where((eb) => eb.or([eb('memory', 'in', inList(ns)), eb('other', 'in', inList(ns))]))
    .execute();
  const others = await withMemories(db, reach)
    .selectFrom('visible_memories')
    .selectAll()
    .where('n', 'in', inList([...new Set(rows.flatMap((row) => [row.memory, row.other]))]))
    .execute();
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

const relativeOf = ({ other, kind }: Link, version: number | null): Relative => ({
  id: other.id,
  memory: other.memory,
  relation: kind,
  version,
  metadata: other.metadata === null ? null : JSON.parse(other.metadata),
  updatedAt: other.updated_at,
});

const sorted = (links: readonly Link[], version: number): Relatives => {
  const chain = links.filter((link) => link.kind === 'updates');
  const place = (link: Link) => relativeOf(link, link.other.version - version);
  return {
    parents: chain.filter((link) => link.outward).map(place),
    children: chain.filter((link) => !link.outward).map(place),
    related: links.filter((link) => link.kind !== 'updates').map((link) => relativeOf(link, null)),
  };
};

export const relativesOf = async (
  db: Db,
  reach: Reach,
  ns: readonly number[],
): Promise<Map<number, Relatives>> => {
  const versions = await withMemories(db, reach)
    .selectFrom('visible_memories')
    .select(['n', 'version'])
    .where('n', 'in', inList(ns))
    .execute();
  const links = Map.groupBy(await linksOf(db, reach, ns), (link) => link.of);
  return new Map(versions.map(({ n, version }) => [n, sorted(links.get(n) ?? [], version)]));
};
