// The jobs that merge tags. The documents themselves show the remaining work, so an interrupted job can continue.

import type { Selectable } from '#kysely';
import { sql } from '#kysely';
import type { Reach } from '../../../../core/scope.ts';
import { textList } from '../../engine/lists.ts';
import type { MergeRecord, MergeRequest, MergeStarted, ProfileBucket, TagSummary } from '../../ports/tags.ts';
import type { ScopedRead } from '../../statements/contexts.ts';
import { insertRows } from '../../statements/insert.ts';
import type { Db, MergesTable } from '../../tables/tables.ts';

const mergeRecord = (row: Selectable<MergesTable>): MergeRecord => ({
  id: row.id,
  sources: JSON.parse(row.sources),
  target: row.target,
  status: row.status,
  moved: row.moved,
  unnamed: row.unnamed,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Oldest first. */
export const unfinishedMerges = async (db: Db): Promise<MergeRecord[]> => {
  const rows = await db
    .selectFrom('merges')
    .selectAll()
    .where('status', '<>', sql.lit('completed'))
    .orderBy('n')
    .execute();
  return rows.map(mergeRecord);
};

/** The active merge of this tag. */
export const mergeOf = (merges: readonly MergeRecord[], tag: string): TagSummary['merge'] => {
  const merge = merges.find(({ sources, target }) => target === tag || sources.includes(tag));
  if (!merge) return null;
  return { id: merge.id, target: merge.target, as: merge.target === tag ? 'target' : 'source' };
};

const readMerge = async ({ db, reach }: ScopedRead, id: string): Promise<MergeRecord | null> => {
  if (reach.reads !== null) return null;
  const row = await db.selectFrom('merges').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? mergeRecord(row) : null;
};

export const startMerge = async (
  tx: Db,
  reach: Reach,
  request: MergeRequest,
  now: number,
): Promise<MergeStarted> => {
  if (reach.holds !== null) return { outcome: 'forbidden' };
  const wanted = [...request.sources, request.target];
  const rows = await tx.selectFrom('tags').select('tag').where('tag', 'in', textList(wanted)).execute();
  const known = new Set(rows.map((row) => row.tag));
  const missing = wanted.filter((tag) => !known.has(tag));
  if (missing.length > 0) return { outcome: 'missing', tags: missing };
  const merges = await unfinishedMerges(tx);
  const busy = wanted.map((tag) => mergeOf(merges, tag)).find((merge) => merge !== null);
  if (busy) return { outcome: 'merging', id: busy.id };
  await insertRows(tx, 'merges', [
    {
      id: request.id,
      sources: JSON.stringify(request.sources),
      target: request.target,
      status: 'queued',
      created_at: now,
      updated_at: now,
    },
  ]);
  return { outcome: 'started' };
};

export const noteMerge = async (
  tx: Db,
  id: string,
  news: { moved: number; unnamed: number; done: boolean },
  now: number,
): Promise<void> => {
  await tx
    .updateTable('merges')
    .set((eb) => ({
      status: news.done ? 'completed' : 'processing',
      moved: eb('moved', '+', news.moved),
      unnamed: eb('unnamed', '+', news.unnamed),
      updated_at: now,
    }))
    .where('id', '=', id)
    .execute();
};

const bucketsIn = (text: string | null): ProfileBucket[] => (text === null ? [] : JSON.parse(text));

/** The target keeps its own settings; a missing one is taken from the first source that has it. */
export const inheritRecord = async (tx: Db, merge: MergeRecord, now: number): Promise<void> => {
  const read = (tag: string) => tx.selectFrom('tags').selectAll().where('tag', '=', tag).executeTakeFirst();
  const target = await read(merge.target);
  if (!target) return;
  const buckets = bucketsIn(target.buckets);
  const said = { name: target.name, context: target.entity_context, paths: target.memory_paths };
  for (const tag of merge.sources) {
    const source = await read(tag);
    said.name ??= source?.name ?? null;
    said.context ??= source?.entity_context ?? null;
    said.paths ??= source?.memory_paths ?? null;
    const known = new Set(buckets.map(({ key }) => key));
    buckets.push(...bucketsIn(source?.buckets ?? null).filter(({ key }) => !known.has(key)));
  }
  await tx
    .updateTable('tags')
    .set((eb) => ({
      name: said.name,
      entity_context: said.context,
      memory_paths: said.paths,
      buckets: buckets.length > 0 ? JSON.stringify(buckets.slice(0, MOST_BUCKETS)) : null,
      changes: eb('changes', '+', 1),
      updated_at: now,
    }))
    .where('n', '=', target.n)
    .execute();
};

const MOST_BUCKETS = 50;

/** The reads of this file, under the names of the port. */
export const mergeReads = { mergeStatus: readMerge };
