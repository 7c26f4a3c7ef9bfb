// Reads the chunks of results with their documents, inside the scope.

import { sql } from 'kysely';
import type { Reach } from '../../../../core/scope.ts';
import { numberList } from '../../engine/lists.ts';
import { type Placeholder, scopedTemplate } from '../../engine/template.ts';
import type { SourceRecord } from '../../ports/documents.ts';
import type { ChunkWithDocument } from '../../ports/search.ts';
import type { ScopedRead } from '../../statements/contexts.ts';
import {
  CHUNK_COLUMNS,
  type ChunkRow,
  chunkRecord,
  SOURCE_COLUMNS,
  sourceRecord,
} from '../../statements/documents/document-rows.ts';
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

type SourceRow = Parameters<typeof sourceRecord>[0];

type PassageRow = ChunkRow & { [Column in keyof SourceRow as `document_${Column}`]: SourceRow[Column] };

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
        .select(CHUNK_COLUMNS.map((column) => `chunks.${column}` as const))
        .select(SOURCE_COLUMNS.map((column) => `visible.${column} as document_${column}` as const))
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

const documentOf = (row: PassageRow): SourceRecord =>
  sourceRecord({
    n: row.document_n,
    id: row.document_id,
    title: row.document_title,
    title_given: row.document_title_given,
    shown_title: row.document_shown_title,
    summary: row.document_summary,
    type: row.document_type,
    task_type: row.document_task_type,
    filepath: row.document_filepath,
    metadata: row.document_metadata,
    chunks: row.document_chunks,
    created_at: row.document_created_at,
    updated_at: row.document_updated_at,
  });

const readRecords = async (
  read: ScopedRead,
  restriction: EvaluatedRestriction,
  ns: readonly number[],
): Promise<ChunkWithDocument[]> => {
  const rows = await readPassages(read, restriction, ns);
  const documents = new Map<number, SourceRecord>();
  return rows.map((row) => {
    const document = documents.get(row.document_n) ?? documentOf(row);
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
  const { allowed } = restriction;
  const isNarrower = isRestricted(restriction) && !isOnlyFiltered(restriction);
  if (isNarrower || !mayKeepPassages(read.db, read.reach)) return readRecords(read, restriction, ns);
  const passages = await keptPassages(read, ns, (missing) => readRecords(read, {}, missing));
  if (allowed === undefined) return passages;
  const isAllowed = allowsUnit(allowed, 'chunks');
  return passages.filter(({ document }) => isAllowed(document.n));
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
    .where('visible_chunks.n', 'in', numberList(ns))
    .execute();
  return new Map(rows.map(({ n, place }) => [n, place ?? 0]));
};

/** The reads of this file, under the names of the port. */
export const foundChunkReads = { places: chunkPlaces };
