// Finds the document, chunk or memory with an id inside a scope, with its searchable units.
import type { Reach } from '../../../../core/scope.ts';
import type { Named } from '../../ports/memories/recall.ts';
import { DOCUMENT_COLUMNS, documentRecord } from '../../statements/documents/document-rows.ts';
import { isForgotten } from '../../statements/memory-rows.ts';
import { visible, withMemories } from '../../statements/scoped-views.ts';
import type { Db } from '../../tables/tables.ts';

/** The chunks per document; a longer document is judged by its beginning. */
const MOST_UNITS = 1_000;

const documentNamed = async (db: Db, reach: Reach, id: string) => {
  const rows = await visible(db, reach)
    .selectFrom('visible')
    .select(DOCUMENT_COLUMNS)
    .where((eb) => eb.or([eb('id', '=', id), eb('custom_id', '=', id)]))
    .orderBy('n')
    .limit(2)
    .execute();
  return rows.find((row) => row.id === id) ?? rows[0] ?? null;
};

const unitsOfDocument = async (db: Db, reach: Reach, n: number) => {
  const seen = withMemories(db, reach);
  const chunks = await seen
    .selectFrom('visible_chunks')
    .select('n')
    .where('doc', '=', n)
    .orderBy('position')
    .orderBy('part')
    .limit(MOST_UNITS)
    .execute();
  const memories = await seen
    .selectFrom('memory_sources')
    .innerJoin('visible_memories', 'visible_memories.n', 'memory_sources.memory')
    .select('visible_memories.n')
    .distinct()
    .where('memory_sources.doc', '=', n)
    .limit(MOST_UNITS)
    .execute();
  return { chunks: chunks.map((row) => row.n), memories: memories.map((row) => row.n) };
};

const memoryNamed = async (db: Db, reach: Reach, id: string, now: number): Promise<Named | null> => {
  const row = await withMemories(db, reach)
    .selectFrom('visible_memories')
    .select(['n', 'is_latest', 'is_forgotten', 'forget_after', 'review'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return null;
  const memory = {
    isLatest: row.is_latest === 1,
    isForgotten: isForgotten(row, now),
    isDeclined: row.review === 'declined',
  };
  return { kind: 'memory', document: null, memory, chunks: [], memories: [row.n] };
};

/** Chunk ids have no index, because only this query searches by them. */
const chunkNamed = async (db: Db, reach: Reach, id: string): Promise<Named | null> => {
  const seen = visible(db, reach);
  const chunk = await seen
    .selectFrom('visible_chunks')
    .select(['n', 'doc'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!chunk) return null;
  const document = await seen
    .selectFrom('visible')
    .select(DOCUMENT_COLUMNS)
    .where('n', '=', chunk.doc)
    .executeTakeFirst();
  if (!document) return null;
  return { kind: 'chunk', document: documentRecord(document), memory: null, chunks: [chunk.n], memories: [] };
};

export const findById = async (
  db: Db,
  reach: Reach,
  id: string,
  now: number = Date.now(),
): Promise<Named | null> => {
  const document = await documentNamed(db, reach, id);
  if (document) {
    const units = await unitsOfDocument(db, reach, document.n);
    return { kind: 'document', document: documentRecord(document), memory: null, ...units };
  }
  return (await memoryNamed(db, reach, id, now)) ?? (await chunkNamed(db, reach, id));
};
