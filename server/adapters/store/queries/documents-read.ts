// Reading documents for a caller: by id or customId, as a list, their chunks.
import { type SqlBool, sql } from 'kysely';
import type { Reach } from '../../../lib/scope.ts';
import type { ChunkRecord, DocumentRecord, Found, ListQuery, Stretch } from '../port.ts';
import type { Db } from '../tables.ts';
import { restricted } from './filters.ts';
import { CHUNK_COLUMNS, chunkOf, DOCUMENT_COLUMNS, documentOf } from './rows.ts';
import { hasStep } from './steps.ts';
import { inList, visible } from './visible.ts';

/** An id is found wherever it is, so that a foreign one is told from a missing one; it says nothing more. */
const existsAnywhere = async (db: Db, id: string): Promise<boolean> => {
  const row = await db
    .with('visible_ids', (query) =>
      query.selectFrom('documents').select('id').where('deleted', '=', sql.lit(0)).where('id', '=', id),
    )
    .selectFrom('visible_ids')
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
};

export const findDocument = async (db: Db, reach: Reach, ref: string): Promise<Found> => {
  const seen = visible(db, reach);
  const columns = [...DOCUMENT_COLUMNS, 'content'] as const;
  const byId = await seen.selectFrom('visible').select(columns).where('id', '=', ref).executeTakeFirst();
  if (byId) return { outcome: 'found', document: documentOf(byId) };
  const named = await seen
    .selectFrom('visible')
    .select(columns)
    .where('custom_id', '=', ref)
    .orderBy('n')
    .limit(20)
    .execute();
  const [first, ...others] = named;
  if (first && others.length === 0) return { outcome: 'found', document: documentOf(first) };
  if (first) return { outcome: 'ambiguous', ids: named.map((row) => row.id) };
  return (await existsAnywhere(db, ref)) ? { outcome: 'foreign' } : { outcome: 'missing' };
};

const named = ({ by, values }: NonNullable<ListQuery['named']>) =>
  sql<SqlBool>`${sql.ref(by === 'id' ? 'id' : 'custom_id')} in ${inList(values)}`;

const sortColumn = { createdAt: 'created_at', updatedAt: 'updated_at' } as const;

export const listDocuments = async (
  db: Db,
  reach: Reach,
  query: ListQuery,
): Promise<{ documents: DocumentRecord[]; total: number }> => {
  const seen = visible(db, reach);
  let chosen = seen.selectFrom('visible').where(restricted(reach, query, 'visible'));
  if (query.steps) chosen = chosen.where(hasStep(query.steps));
  if (query.sources) chosen = chosen.where('source', 'in', inList(query.sources));
  if (query.named) chosen = chosen.where(named(query.named));
  const { total } = await chosen
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await chosen
    .select(DOCUMENT_COLUMNS)
    .$if(query.content, (builder) => builder.select('content'))
    .orderBy(sortColumn[query.sort], query.order)
    .orderBy('n', query.order)
    .limit(query.limit)
    .offset(query.offset)
    .execute();
  return { documents: rows.map(documentOf), total: Number(total) };
};

export const chunksOfDocument = async (db: Db, reach: Reach, documentN: number): Promise<ChunkRecord[]> => {
  const rows = await visible(db, reach)
    .selectFrom('visible_chunks')
    .select(CHUNK_COLUMNS)
    .where('doc', '=', documentN)
    .orderBy('position')
    .orderBy('part')
    .execute();
  return rows.map(chunkOf);
};

/** A message of more parts is a file that somebody pasted; those far from its beginning are no neighbours of the next. */
const MOST_PARTS = 200;

const bounds = ({ document, from, to, parts = { from: 0, to: MOST_PARTS } }: Stretch): number[] => [
  document,
  from,
  to,
  parts.from,
  parts.to,
];

/** All in one query: each by itself would cost more to ask than to read. */
export const neighbourChunks = async (
  db: Db,
  reach: Reach,
  stretches: readonly Stretch[],
): Promise<ChunkRecord[][]> => {
  if (stretches.length === 0) return [];
  const wanted = sql<{ key: number; value: string }>`json_each(${JSON.stringify(stretches.map(bounds))})`;
  const bound = (at: number) => sql<number>`json_extract(stretch.value, ${sql.lit(`$[${at}]`)})`;
  const rows = await visible(db, reach)
    .selectFrom(wanted.as('stretch'))
    .innerJoin('visible_chunks', (join) =>
      join
        .on('visible_chunks.doc', '=', bound(0))
        .on('visible_chunks.position', '>=', bound(1))
        .on('visible_chunks.position', '<=', bound(2))
        .on('visible_chunks.part', '>=', bound(3))
        .on('visible_chunks.part', '<=', bound(4)),
    )
    .select('stretch.key as stretch')
    .select(CHUNK_COLUMNS.map((column) => `visible_chunks.${column}` as const))
    .orderBy('stretch.key')
    .orderBy('visible_chunks.position')
    .orderBy('visible_chunks.part')
    .execute();
  const found: ChunkRecord[][] = stretches.map(() => []);
  for (const row of rows) found[row.stretch]?.push(chunkOf(row));
  return found;
};

export const contentsOf = async (
  db: Db,
  reach: Reach,
  documentNs: readonly number[],
): Promise<Map<number, string>> => {
  const rows = await visible(db, reach)
    .selectFrom('visible')
    .select(['n', 'content'])
    .where('n', 'in', sql<number>`(select value from json_each(${JSON.stringify(documentNs)}))`)
    .execute();
  return new Map(rows.map((row) => [row.n, row.content ?? '']));
};
