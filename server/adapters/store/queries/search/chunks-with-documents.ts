// Reads the chunks of results with their documents, inside the scope.

import { sql } from 'kysely';
import type { ChunkWithDocument } from '../../ports/search.ts';
import type { ScopedRead } from '../../statements/contexts.ts';
import { CHUNK_COLUMNS, chunkRecord, SOURCE_COLUMNS, sourceRecord } from '../../statements/document-rows.ts';
import { documentRestriction, type EvaluatedRestriction } from '../../statements/filters.ts';
import { inList, visible } from '../../statements/scoped-views.ts';

export const chunksWithDocuments = async (
  { db, reach }: ScopedRead,
  restriction: EvaluatedRestriction,
  ns: readonly number[],
): Promise<ChunkWithDocument[]> => {
  if (ns.length === 0) return [];
  const seen = visible(db, reach);
  const chunks = await seen
    .selectFrom('visible_chunks')
    .select(CHUNK_COLUMNS)
    .where('n', 'in', inList(ns))
    .execute();
  const documents = await seen
    .selectFrom('visible')
    .select(SOURCE_COLUMNS)
    .where('n', 'in', inList([...new Set(chunks.map((chunk) => chunk.doc))]))
    .where(documentRestriction(reach, restriction, 'visible'))
    .execute();
  const byNumber = new Map(documents.map((row) => [row.n, sourceRecord(row)]));
  return chunks.flatMap((chunk) => {
    const document = byNumber.get(chunk.doc);
    return document ? [{ ...chunkRecord(chunk), document }] : [];
  });
};

/** A position alone is not unique: all pieces of a message share one. */
export const chunkPlaces = async (
  { db, reach }: ScopedRead,
  ns: readonly number[],
): Promise<Map<number, number>> => {
  const rows = await visible(db, reach)
    .selectFrom('visible_chunks')
    .select(({ selectFrom }) => [
      'visible_chunks.n',
      selectFrom('visible_chunks as before')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('before.doc', '=', 'visible_chunks.doc')
        .where(sql<boolean>`(before.position, before.part) < (visible_chunks.position, visible_chunks.part)`)
        .as('place'),
    ])
    .where('visible_chunks.n', 'in', inList(ns))
    .execute();
  return new Map(rows.map(({ n, place }) => [n, place ?? 0]));
};

/** The reads of this file, under the names of the port. */
export const foundChunkReads = { places: chunkPlaces };
