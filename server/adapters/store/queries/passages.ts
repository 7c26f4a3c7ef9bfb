// The chunks of a result with their documents, as far as the scope allows.
import { sql } from 'kysely';
import type { Reach } from '../../../lib/scope.ts';
import type { Passage, Restriction } from '../port.ts';
import type { Db } from '../tables.ts';
import { restricted } from './filters.ts';
import { CHUNK_COLUMNS, chunkOf, SOURCE_COLUMNS, sourceOf } from './rows.ts';
import { inList, visible } from './visible.ts';

export const passages = async (
  db: Db,
  reach: Reach,
  restriction: Restriction,
  ns: readonly number[],
): Promise<Passage[]> => {
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
    .where(restricted(reach, restriction, 'visible'))
    .execute();
  const byNumber = new Map(documents.map((row) => [row.n, sourceOf(row)]));
  return chunks.flatMap((chunk) => {
    const document = byNumber.get(chunk.doc);
    return document ? [{ ...chunkOf(chunk), document }] : [];
  });
};

/** A position alone is no place: all pieces of a text share one. */
export const places = async (db: Db, reach: Reach, ns: readonly number[]): Promise<Map<number, number>> => {
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
