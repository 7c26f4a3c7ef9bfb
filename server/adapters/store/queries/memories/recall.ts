// Reading memories for search and for the profile: few columns, many rows.
import { type SqlBool, sql } from '#kysely';
import type { Reach } from '../../../../core/scope.ts';
import { numberList } from '../../engine/lists.ts';
import { scopedTemplate } from '../../engine/template.ts';
import type { MemorySources, RecalledMemory, WeighedMemory } from '../../ports/memories/recall.ts';
import type { ScopedRead } from '../../statements/contexts.ts';
import { SOURCE_COLUMNS, sourceRecord } from '../../statements/documents/document-rows.ts';
import {
  type EvaluatedRestriction,
  type FilterNumbers,
  isRestricted,
  memoryRestriction,
  onlyAllowed,
} from '../../statements/filters.ts';
import { readOnce } from '../../statements/live-memories.ts';
import { isForgotten, isLive, type MemoryRow } from '../../statements/memory-rows.ts';
import { visible, withMemories } from '../../statements/scoped-views.ts';
import type { Db } from '../../tables/tables.ts';
import { memoriesInDoubt } from './doubts.ts';
import {
  chunksOutdated,
  memoriesDrawnFrom,
  memoriesReplacing,
  memoriesStatedBy,
} from './stated-by-chunks.ts';

const COLUMNS = [
  'memories.n',
  'memories.id',
  'memories.memory',
  'memories.version',
  'memories.is_static',
  'memories.is_inference',
  'memories.is_forgotten',
  'memories.review',
  'memories.metadata',
  'memories.document_date',
  'memories.event_dates',
  'memories.forget_after',
  'memories.created_at',
  'memories.updated_at',
] as const;

type Row = Pick<
  MemoryRow,
  | 'n'
  | 'id'
  | 'memory'
  | 'version'
  | 'is_static'
  | 'is_inference'
  | 'is_forgotten'
  | 'review'
  | 'metadata'
  | 'document_date'
  | 'event_dates'
  | 'forget_after'
  | 'created_at'
  | 'updated_at'
>;

const recalledMemory = (row: Row, now: number): RecalledMemory => ({
  n: row.n,
  id: row.id,
  memory: row.memory,
  version: row.version,
  isStatic: row.is_static === 1,
  isInference: row.is_inference === 1,
  isForgotten: isForgotten(row, now),
  review: row.review,
  metadata: row.metadata === null ? null : JSON.parse(row.metadata),
  documentDate: row.document_date,
  eventDates: row.event_dates === null ? [] : JSON.parse(row.event_dates),
  forgetAfter: row.forget_after,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const latestRecalled = (db: Db, reach: Reach, restriction: EvaluatedRestriction) =>
  withMemories(db, reach)
    .selectFrom('visible_memories as memories')
    .select(COLUMNS)
    .where('memories.is_latest', '=', sql.lit(1))
    .where(sql<SqlBool>`memories.review is distinct from 'declined'`)
    .where(memoryRestriction(reach, restriction));

const liveByNumber = scopedTemplate((db, reach, at: (name: 'ns' | 'now') => never) =>
  latestRecalled(db, reach, {})
    .where('memories.n', 'in', numberList(at('ns')))
    .where(isLive(at('now'))),
);

const recallLive = async (
  { db, reach, now }: ScopedRead,
  ns: readonly number[],
): Promise<RecalledMemory[]> => {
  const rows = await liveByNumber(db, reach, { ns: JSON.stringify(ns), now });
  return rows.map((row) => recalledMemory(row, now));
};

export const recallByNumber = async (
  read: ScopedRead,
  restriction: EvaluatedRestriction,
  ns: readonly number[],
): Promise<RecalledMemory[]> => {
  if (ns.length === 0) return [];
  if (!isRestricted(restriction) && !restriction.forgotten)
    return readOnce(read, ns, (some) => recallLive(read, some));
  const { db, reach, now } = read;
  const chosen = latestRecalled(db, reach, restriction).where('memories.n', 'in', numberList(ns));
  const rows = await (restriction.forgotten ? chosen : chosen.where(isLive(now))).execute();
  return rows.map((row) => recalledMemory(row, now));
};

export const recallForProfile = async (
  { db, reach, now }: ScopedRead,
  query: { allowed?: FilterNumbers; isStatic: boolean; limit: number },
): Promise<WeighedMemory[]> => {
  const rows = await latestRecalled(db, reach, onlyAllowed(query))
    .select(
      sql<number>`(select count(distinct memory_sources.doc) from memory_sources
        inner join visible on visible.n = memory_sources.doc where memory_sources.memory = memories.n)`.as(
        'sources',
      ),
    )
    .where(isLive(now))
    .where('memories.is_inference', '=', sql.lit(0))
    .where('memories.is_static', '=', query.isStatic ? 1 : 0)
    .orderBy('memories.updated_at', 'desc')
    .orderBy('memories.n', 'desc')
    .limit(query.limit)
    .execute();
  return rows.map((row) => ({ ...recalledMemory(row, now), sourceCount: row.sources }));
};

const sourceLinks = scopedTemplate((db, reach, at: (name: 'memories') => never) =>
  withMemories(db, reach)
    .selectFrom('memory_sources')
    .innerJoin('visible_memories', 'visible_memories.n', 'memory_sources.memory')
    .select(['memory_sources.memory', 'memory_sources.doc'])
    .distinct()
    .where('memory_sources.memory', 'in', numberList(at('memories')))
    .orderBy('memory_sources.doc'),
);

const sourceDocuments = scopedTemplate((db, reach, at: (name: 'documents') => never) =>
  visible(db, reach)
    .selectFrom('visible')
    .select(SOURCE_COLUMNS)
    .where('n', 'in', numberList(at('documents'))),
);

const sourceChunks = scopedTemplate((db, reach, at: (name: 'memories') => never) =>
  withMemories(db, reach)
    .selectFrom('memory_sources')
    .innerJoin('visible_memories', 'visible_memories.n', 'memory_sources.memory')
    .innerJoin('visible_chunks', (join) =>
      join
        .onRef('visible_chunks.doc', '=', 'memory_sources.doc')
        .onRef('visible_chunks.id', '=', 'memory_sources.chunk'),
    )
    .select(['memory_sources.memory', 'visible_chunks.n'])
    .where('memory_sources.memory', 'in', numberList(at('memories')))
    .where('memory_sources.chunk', '<>', sql.lit(''))
    .orderBy('visible_chunks.n'),
);

const recallSources = async (
  { db, reach }: ScopedRead,
  memories: readonly number[],
): Promise<Map<number, MemorySources>> => {
  const found = new Map(memories.map((n): [number, MemorySources] => [n, { documents: [], chunks: [] }]));
  if (found.size === 0) return found;
  const among = { memories: JSON.stringify(memories) };
  const links = await sourceLinks(db, reach, among);
  const distinct = [...new Set(links.map(({ doc }) => doc))];
  const rows = await sourceDocuments(db, reach, { documents: JSON.stringify(distinct) });
  const documents = new Map(rows.map((row) => [row.n, sourceRecord(row)]));
  for (const { memory, doc } of links) {
    const document = documents.get(doc);
    if (document) found.get(memory)?.documents.push(document);
  }
  for (const { memory, n } of await sourceChunks(db, reach, among)) found.get(memory)?.chunks.push(n);
  return found;
};

const forgottenOfDocuments = async (
  { db, reach, now }: ScopedRead,
  documents: readonly number[],
): Promise<Map<number, string[]>> => {
  if (documents.length === 0) return new Map();
  const rows = await withMemories(db, reach)
    .selectFrom('memory_sources')
    .innerJoin('visible_memories as memories', 'memories.n', 'memory_sources.memory')
    .select(['memory_sources.doc', 'memories.memory'])
    .distinct()
    .where('memory_sources.doc', 'in', numberList(documents))
    .where('memories.is_latest', '=', sql.lit(1))
    .where(sql<SqlBool>`not ${isLive(now)}`)
    .execute();
  const byDocument = Map.groupBy(rows, ({ doc }) => doc);
  return new Map([...byDocument].map(([doc, gone]) => [doc, gone.map(({ memory }) => memory)]));
};

/** The number and the time of creation distinguish a tag from a former one of the same name. */
const tagChangeMark = async ({ db, reach }: ScopedRead, tag: string): Promise<string | null> => {
  if (reach.reads !== null && !reach.reads.includes(tag)) return null;
  const row = await db
    .selectFrom('tags')
    .select(['n', 'created_at', 'changes'])
    .where('tag', '=', tag)
    .executeTakeFirst();
  return row ? `${row.n}.${row.created_at}.${row.changes}` : null;
};

/** The reads of this file, under the names of the port. */
export const recallReads = {
  sources: recallSources,
  stated: memoriesStatedBy,
  drawn: memoriesDrawnFrom,
  forgottenOf: forgottenOfDocuments,
  outdated: chunksOutdated,
  replacing: memoriesReplacing,
  changes: tagChangeMark,
  inDoubt: memoriesInDoubt,
};
