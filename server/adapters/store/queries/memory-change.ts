// Changing memories for a caller: made directly, revised, forgotten, reviewed.

import { sha256 } from '../../../lib/hash.ts';
import type { Reach } from '../../../lib/scope.ts';
import type { FillSpace } from '../ingest-port.ts';
import type { MemoryRecord, PreparedMemory, Revision } from '../memory-port.ts';
import type { Db } from '../tables.ts';
import { countDocuments, ensureContainer } from './containers.ts';
import { insertNumbered } from './insert.ts';
import { isLive, type MemoryRow, recordsOf } from './memory-rows.ts';
import {
  addSources,
  emptyVectors,
  flushVectors,
  insertMemory,
  memoryById,
  type Place,
  storeArrivals,
} from './memory-write.ts';
import { replaceMetadata } from './metadata.ts';
import { holdsAll, inList } from './visible.ts';

const placeOf = async (tx: Db, container: number): Promise<Place & { tags: string[] }> => {
  const rows = await tx
    .selectFrom('container_tags')
    .innerJoin('tags', 'tags.n', 'container_tags.tag')
    .select(['tags.n', 'tags.tag'])
    .where('container_tags.container', '=', container)
    .execute();
  return { container, tagNumbers: rows.map((row) => row.n), tags: rows.map((row) => row.tag) };
};

/** A light document that stands for what was said directly; it has no chunks of its own. */
const sourceDocument = async (
  tx: Db,
  container: number,
  request: { tags: readonly string[]; documentId: string; memories: readonly PreparedMemory[] },
  now: number,
): Promise<number> => {
  const content = request.memories.map((memory) => memory.memory).join('\n');
  const n = await insertNumbered(tx, 'documents', {
    id: request.documentId,
    container,
    custom_id: null,
    tags: JSON.stringify(request.tags),
    title: null,
    summary: null,
    type: 'text',
    content,
    content_hash: sha256(content),
    url: null,
    source: 'memories',
    filepath: null,
    task_type: 'superrag',
    dreaming: 'instant',
    metadata: null,
    step: 'done',
    revision: 1,
    indexed_revision: 1,
    due_at: now,
    created_at: now,
    updated_at: now,
    memory_state: 'done',
  });
  await countDocuments(tx, container, 1);
  return n;
};

export const createMemories = async (
  tx: Db,
  reach: Reach,
  request: { tags: readonly string[]; documentId: string; memories: readonly PreparedMemory[] },
  spaces: readonly FillSpace[],
  now: number,
): Promise<{ documentId: string; memories: MemoryRecord[] }> => {
  const container = await ensureContainer(tx, request.tags, now);
  const place = await placeOf(tx, container);
  const doc = await sourceDocument(tx, container, request, now);
  const arrivals = request.memories.map((prepared) => ({ prepared, relations: [], chunks: null }));
  const stored = await storeArrivals(tx, place, doc, arrivals, spaces, now);
  const rows = stored.flatMap((row) => (row ? [row] : []));
  for (const [index, row] of rows.entries()) {
    const metadata = request.memories[index]?.metadata;
    if (metadata) await replaceMetadata(tx, { n: row.n, container }, metadata);
  }
  return { documentId: request.documentId, memories: await recordsOf(tx, reach, rows, now) };
};

const revised = (former: MemoryRow, revision: Revision): PreparedMemory => ({
  ...revision.prepared,
  metadata:
    revision.metadata === undefined
      ? former.metadata === null
        ? null
        : JSON.parse(former.metadata)
      : revision.metadata,
  forgetAfter: revision.forgetAfter === undefined ? former.forget_after : revision.forgetAfter,
  forgetReason: reasonOf(former, revision),
  documentDate: revision.documentDate === undefined ? former.document_date : revision.documentDate,
  eventDates:
    revision.eventDates ?? (former.event_dates === null ? [] : (JSON.parse(former.event_dates) as number[])),
});

/** A reason means nothing without a date. */
const reasonOf = (former: MemoryRow, revision: Revision): string | null => {
  if (revision.forgetAfter === null) return null;
  return revision.forgetReason === undefined ? former.forget_reason : revision.forgetReason;
};

export const reviseMemory = async (
  tx: Db,
  reach: Reach,
  id: string,
  revision: Revision,
  spaces: readonly FillSpace[],
  now: number,
): Promise<MemoryRecord | null> => {
  const former = await memoryById(tx, id);
  if (!former || former.is_latest === 0) return null;
  const place = await placeOf(tx, former.container);
  if (!holdsAll(reach, place.tags)) return null;
  const vectors = emptyVectors(spaces);
  const prepared = revised(former, revision);
  const lineage = { updates: former, relations: [{ other: former.n, kind: 'updates' as const }] };
  const row = await insertMemory(tx, place, prepared, lineage, vectors, now);
  await flushVectors(tx, spaces, vectors);
  const sources = await tx.selectFrom('memory_sources').selectAll().where('memory', '=', former.n).execute();
  for (const { doc, chunk } of sources) await addSources(tx, row.n, doc, [chunk], now);
  if (prepared.metadata) await replaceMetadata(tx, { n: row.n, container: row.container }, prepared.metadata);
  return (await recordsOf(tx, reach, [row], now))[0] ?? null;
};

export const forgetMemories = async (
  tx: Db,
  reach: Reach,
  ids: readonly string[],
  request: { reason: string | null; batch: string | null },
  now: number,
): Promise<string[]> => {
  const rows = await tx
    .selectFrom('memories')
    .select(['n', 'id', 'container'])
    .where('id', 'in', inList(ids))
    .where(isLive(now))
    .execute();
  const held: typeof rows = [];
  for (const row of rows) if (holdsAll(reach, (await placeOf(tx, row.container)).tags)) held.push(row);
  await tx
    .updateTable('memories')
    .set({
      is_forgotten: 1,
      forget_reason: request.reason,
      forget_batch: request.batch,
      updated_at: now,
    })
    .where('n', 'in', inList(held.map((row) => row.n)))
    .execute();
  return held.map((row) => row.id);
};

const REVIEWED = {
  approve: { is_inference: 0, review: 'approved', is_forgotten: 0 },
  decline: { is_inference: 1, review: 'declined', is_forgotten: 1 },
  undo: { is_inference: 1, review: null, is_forgotten: 0 },
} as const;

/** Only a guess can be judged, and only a judgement can be taken back. */
const mayReview = (row: MemoryRow, action: keyof typeof REVIEWED): boolean =>
  action === 'undo' ? row.review !== null : row.is_inference === 1 && row.review === null;

export const reviewMemory = async (
  tx: Db,
  reach: Reach,
  id: string,
  action: keyof typeof REVIEWED,
  now: number,
): Promise<{ outcome: 'reviewed'; memory: MemoryRecord } | { outcome: 'refused' }> => {
  const row = await memoryById(tx, id);
  if (!row || !mayReview(row, action)) return { outcome: 'refused' };
  const changed = await tx
    .updateTable('memories')
    .set({ ...REVIEWED[action], updated_at: now })
    .where('n', '=', row.n)
    .returningAll()
    .executeTakeFirstOrThrow();
  const [memory] = await recordsOf(tx, reach, [changed], now);
  return memory ? { outcome: 'reviewed', memory } : { outcome: 'refused' };
};
