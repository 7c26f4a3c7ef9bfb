// Reading documents for a caller: by id or customId, as a list, their chunks.

import { type SelectQueryBuilder, type SqlBool, sql } from '#kysely';
import { engineOf, everywhere } from '../../engine/engine.ts';
import { numberList, textList } from '../../engine/lists.ts';
import { scopedTemplate } from '../../engine/template.ts';
import type {
  ChunkListQuery,
  ChunkRecord,
  DocumentRecord,
  FoundDocument,
  ListedChunk,
  ListQuery,
} from '../../ports/documents.ts';
import type { Stretch } from '../../ports/search.ts';
import type { ScopedRead } from '../../statements/contexts.ts';
import {
  CHUNK_COLUMNS,
  chunkRecord,
  DOCUMENT_COLUMNS,
  documentRecord,
} from '../../statements/documents/document-rows.ts';
import { hasStep } from '../../statements/documents/document-steps.ts';
import { INSIDE_STRETCH, stretchList, stretchTable } from '../../statements/documents/stretches.ts';
import { versionedNeighbours } from '../../statements/documents/versioned-passages.ts';
import {
  documentRestriction,
  type EvaluatedRestriction,
  isRestricted,
  onlyAllowed,
} from '../../statements/filters.ts';
import { containersWithAny, LIVING, type VisibleTables, visible } from '../../statements/scoped-views.ts';
import type { Db } from '../../tables/tables.ts';

/** Looks for the id everywhere, to distinguish a foreign document from a missing one; it reveals nothing else. */
const existsAnywhere = async (db: Db, id: string): Promise<boolean> => {
  const row = await everywhere(db)
    .with('visible_ids', (query) =>
      query.selectFrom('documents').select('id').where(LIVING).where('id', '=', id),
    )
    .selectFrom('visible_ids')
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
};

export const findDocument = async ({ db, reach }: ScopedRead, ref: string): Promise<FoundDocument> => {
  const seen = visible(db, reach);
  const columns = [...DOCUMENT_COLUMNS, 'content'] as const;
  const byId = await seen.selectFrom('visible').select(columns).where('id', '=', ref).executeTakeFirst();
  if (byId) return { outcome: 'found', document: documentRecord(byId) };
  const named = await seen
    .selectFrom('visible')
    .select(columns)
    .where('custom_id', '=', ref)
    .orderBy('n')
    .limit(20)
    .execute();
  const [first, ...others] = named;
  if (first && others.length === 0) return { outcome: 'found', document: documentRecord(first) };
  if (first) return { outcome: 'ambiguous', ids: named.map((row) => row.id) };
  return (await existsAnywhere(db, ref)) ? { outcome: 'foreign' } : { outcome: 'missing' };
};

const hasName = ({ by, values }: NonNullable<ListQuery['named']>) =>
  sql<SqlBool>`${sql.ref(by === 'id' ? 'id' : 'custom_id')} in ${textList(values)}`;

const countChosen = async (chosen: SelectQueryBuilder<VisibleTables, 'visible', object>): Promise<number> => {
  const { total } = await chosen
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
};

const documentSortColumn = { createdAt: 'created_at', updatedAt: 'updated_at' } as const;

type EvaluatedListQuery = Omit<ListQuery, 'filter'> & Pick<EvaluatedRestriction, 'filter' | 'allowed'>;

/** `inScope`: the number of documents in the scope, so that they are not counted again; null: not known. */
export const listDocuments = async (
  { db, reach }: ScopedRead,
  query: EvaluatedListQuery,
  inScope: number | null,
): Promise<{ documents: DocumentRecord[]; total: number }> => {
  const seen = visible(db, reach);
  let chosen = seen.selectFrom('visible').where(documentRestriction(reach, query, 'visible'));
  if (query.steps) chosen = chosen.where(hasStep(query.steps));
  if (query.anyTags) chosen = chosen.where('container', 'in', containersWithAny(query.anyTags));
  if (query.sources) chosen = chosen.where('source', 'in', textList(query.sources));
  if (query.named) chosen = chosen.where(hasName(query.named));
  const isEverything = !(isRestricted(query) || query.steps || query.anyTags || query.sources || query.named);
  const total = isEverything && inScope !== null ? inScope : await countChosen(chosen);
  const sorted = <O>(documents: SelectQueryBuilder<VisibleTables, 'visible', O>) =>
    documents.orderBy(documentSortColumn[query.sort], query.order).orderBy('n', query.order);
  // Numbers alone are sorted: whole rows of a large scope would cost most of the query. They are sorted once: a planner without
  // statistics of new rows would do it for each document.
  const paged = seen.with(
    (cte) => cte('visible_page').materialized(),
    () => sorted(chosen.select('n')).limit(query.limit).offset(query.offset),
  );
  const inPage = paged
    .selectFrom('visible')
    .where('n', 'in', (from) => from.selectFrom('visible_page').select('n'));
  const rows = await sorted(inPage.select(DOCUMENT_COLUMNS))
    .$if(query.content, (builder) => builder.select('content'))
    .execute();
  return { documents: rows.map(documentRecord), total };
};

const chunksOfDocument = async ({ db, reach }: ScopedRead, documentN: number): Promise<ChunkRecord[]> => {
  const rows = await visible(db, reach)
    .selectFrom('visible_chunks')
    .select(CHUNK_COLUMNS)
    .where('doc', '=', documentN)
    .orderBy('position')
    .orderBy('part')
    .execute();
  return rows.map(chunkRecord);
};

const chunkSortColumns = {
  createdAt: ['chunks.created_at'],
  updatedAt: ['visible.updated_at'],
  position: ['chunks.position', 'chunks.part'],
} as const;

type EvaluatedChunkListQuery = Omit<ChunkListQuery, 'filter'> & Pick<EvaluatedRestriction, 'allowed'>;

export const listChunks = async (
  { db, reach }: ScopedRead,
  query: EvaluatedChunkListQuery,
): Promise<{ chunks: ListedChunk[]; total: number }> => {
  const chosen = visible(db, reach)
    .selectFrom('visible_chunks as chunks')
    .innerJoin('visible', 'visible.n', 'chunks.doc')
    .where(documentRestriction(reach, onlyAllowed(query), 'visible'));
  const { total } = await chosen
    .select((eb) => eb.fn.count<number>('chunks.id').as('total'))
    .executeTakeFirstOrThrow();
  const sorted = [...chunkSortColumns[query.sort], 'chunks.n' as const].reduce(
    (builder, column) => builder.orderBy(column, query.order),
    chosen.select(CHUNK_COLUMNS.map((column) => `chunks.${column}` as const)),
  );
  const rows = await sorted
    .select('visible.id as documentId')
    .limit(query.limit)
    .offset(query.offset)
    .execute();
  return { chunks: rows.map((row) => ({ ...chunkRecord(row), documentId: row.documentId })), total };
};

/** One query for all, because separate queries would cost more than the reading itself. */
const readNeighbours = scopedTemplate((db, reach, at: (name: 'stretches') => never) =>
  visible(db, reach)
    .selectFrom(stretchTable(at('stretches')).as('stretch'))
    .innerJoin('visible_chunks as chunks', (join) => join.on(INSIDE_STRETCH))
    .select('stretch.at as stretch')
    .select(CHUNK_COLUMNS.map((column) => `chunks.${column}` as const))
    .orderBy('stretch.at')
    .orderBy('chunks.position')
    .orderBy('chunks.part'),
);

const neighbourChunks = async (read: ScopedRead, stretches: readonly Stretch[]): Promise<ChunkRecord[][]> => {
  if (stretches.length === 0) return [];
  const { db, reach } = read;
  const { rowCaches } = engineOf(db);
  if (rowCaches !== null) return versionedNeighbours(read, rowCaches, stretches);
  const found: ChunkRecord[][] = stretches.map(() => []);
  for (const row of await readNeighbours(db, reach, { stretches: stretchList(stretches) }))
    found[row.stretch]?.push(chunkRecord(row));
  return found;
};

const contentsOf = async (
  { db, reach }: ScopedRead,
  documentNs: readonly number[],
): Promise<Map<number, string>> => {
  const rows = await visible(db, reach)
    .selectFrom('visible')
    .select(['n', 'content'])
    .where('n', 'in', numberList(documentNs))
    .execute();
  return new Map(rows.map((row) => [row.n, row.content ?? '']));
};

/** The reads of this file, under the names of the port. */
export const documentReads = { find: findDocument, chunks: chunksOfDocument };

/** The reads of this file, under the names of the port. */
export const chunkReads = { neighbours: neighbourChunks, contents: contentsOf };
