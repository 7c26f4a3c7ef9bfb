// Reads the chunks of results with their documents, inside the scope.

import { sql } from '#kysely';
import type { Reach } from '../../../../core/scope.ts';
import { engineOf } from '../../engine/engine.ts';
import { numberList } from '../../engine/lists.ts';
import { type Placeholder, scopedTemplate } from '../../engine/template.ts';
import type { SourceRecord } from '../../ports/documents.ts';
import type { ChunkWithDocument } from '../../ports/search.ts';
import type { ScopedRead } from '../../statements/contexts.ts';
import { chunkRecord } from '../../statements/documents/document-rows.ts';
import {
  documentOfPassage,
  PASSAGE_COLUMNS,
  type PassageRow,
} from '../../statements/documents/passage-rows.ts';
import { versionedPassages } from '../../statements/documents/versioned-passages.ts';
import {
  allowsUnit,
  documentRestriction,
  type EvaluatedRestriction,
  isOnlyFiltered,
  isRestricted,
} from '../../statements/filters.ts';
import { visible } from '../../statements/scoped-views.ts';
import type { Db } from '../../tables/tables.ts';
import { keptPassages, mayKeepPassages } from './kept-passages.ts';

/** The columns of a passage and of its document, which has names of its own for them. */
const passages = (
  db: Db,
  reach: Reach,
  restriction: EvaluatedRestriction,
  ns: readonly number[] | Placeholder,
) =>
  visible(db, reach)
    .with('visible_passages', (query) =>
      query
        .selectFrom('chunks')
        .innerJoin('visible', 'visible.n', 'chunks.doc')
        .select(PASSAGE_COLUMNS)
        .where(documentRestriction(reach, restriction, 'visible')),
    )
    .selectFrom('visible_passages')
    .selectAll()
    .where('n', 'in', numberList(ns))
    .$castTo<PassageRow>();

const unrestricted = scopedTemplate((db, reach, at: (name: 'ns') => never) =>
  passages(db, reach, {}, at('ns')),
);

const readPassages = (
  { db, reach }: ScopedRead,
  restriction: EvaluatedRestriction,
  ns: readonly number[],
): Promise<PassageRow[]> =>
  isRestricted(restriction)
    ? passages(db, reach, restriction, ns).execute()
    : unrestricted(db, reach, { ns: JSON.stringify(ns) });

const readRecords = async (
  read: ScopedRead,
  restriction: EvaluatedRestriction,
  ns: readonly number[],
): Promise<ChunkWithDocument[]> => {
  const rows = await readPassages(read, restriction, ns);
  const documents = new Map<number, SourceRecord>();
  return rows.map((row) => {
    const document = documents.get(row.document_n) ?? documentOfPassage(row);
    documents.set(row.document_n, document);
    return { ...chunkRecord(row), document };
  });
};

export const chunksWithDocuments = async (
  read: ScopedRead,
  restriction: EvaluatedRestriction,
  ns: readonly number[],
): Promise<ChunkWithDocument[]> => {
  if (ns.length === 0) return [];
  const { rowCaches } = engineOf(read.db);
  if (rowCaches !== null) return versionedPassages(read, rowCaches, restriction, ns);
  const { allowed } = restriction;
  const isNarrower = isRestricted(restriction) && !isOnlyFiltered(restriction);
  if (isNarrower || !mayKeepPassages(read.db, read.reach)) return readRecords(read, restriction, ns);
  const passages = await keptPassages(read, ns, (missing) => readRecords(read, {}, missing));
  if (allowed === undefined) return passages;
  const isAllowed = allowsUnit(allowed, 'chunks');
  return passages.filter(({ document }) => isAllowed(document.n));
};

/** A position alone is not unique: all pieces of a message share one. */
const chunkPlaces = async (
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
    .where('visible_chunks.n', 'in', numberList(ns))
    .execute();
  return new Map(rows.map(({ n, place }) => [n, place ?? 0]));
};

/** The reads of this file, under the names of the port. */
export const foundChunkReads = { places: chunkPlaces };
