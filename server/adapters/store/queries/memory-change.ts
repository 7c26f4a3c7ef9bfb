// Changing memories for a caller: made directly, revised, forgotten, reviewed.
import { sha256 } from '../../../lib/hash.ts';
import { newId } from '../../../lib/ids.ts';
import type { Reach } from '../../../lib/scope.ts';
import type { FillSpace } from '../ingest-port.ts';
import type {
  MemoryRecord,
  PreparedMemory,
  RelatedStatement,
  Relating,
  Reviewed,
  Revised,
  Revision,
} from '../memory-port.ts';
import type { Metadata } from '../port.ts';
import type { Db } from '../tables.ts';
import { countDocuments, ensureContainer } from './containers.ts';
import { insertNumbered } from './insert.ts';
import { memoryById, versionsOf } from './memory-chain.ts';
import { known } from './memory-known.ts';
import { ALONE, type Arrival } from './memory-lineage.ts';
import { isForgotten, isLive, type MemoryRow, recordsOf } from './memory-rows.ts';
import {
  addSources,
  indexAll,
  insertMemory,
  nothingUnindexed,
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

interface Request {
  tags: readonly string[];
  documentId: string;
  memories: readonly PreparedMemory[];
}

/** A light document that stands for what was said directly; it has no chunks of its own. */
const sourceDocument = async (tx: Db, container: number, request: Request, now: number): Promise<number> => {
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

const metadataIn = (row: Pick<MemoryRow, 'metadata'>): Metadata | null =>
  row.metadata === null ? null : JSON.parse(row.metadata);

/** What was there already gets the given keys beside its own. */
const describe = async (tx: Db, row: MemoryRow, given: Metadata | null): Promise<MemoryRow> => {
  if (given === null) return row;
  const metadata = { ...metadataIn(row), ...given };
  await replaceMetadata(tx, row, metadata);
  const text = JSON.stringify(metadata);
  await tx.updateTable('memories').set({ metadata: text }).where('n', '=', row.n).execute();
  return { ...row, metadata: text };
};

const NOTHING_BELOW: ReadonlyMap<number, number> = new Map();

/** What is said directly is said now, unless it is dated; about the same thing as before, it is a version of that. */
const arrivalsOf = async (
  tx: Db,
  container: number,
  memories: readonly PreparedMemory[],
  relating: Relating | null,
  now: number,
): Promise<Arrival[]> => {
  const statements = memories.map(
    (prepared): RelatedStatement => ({ ...prepared, saidAt: prepared.documentDate, heardAt: now }),
  );
  const isRelatable = statements.some(({ slot, about }) => slot !== null || about !== null);
  const relate = async ({ wanted, relate }: Relating) => {
    const stored = await known(tx, { container, contextFilter: null }, wanted(statements), null, now);
    return relate(statements, stored);
  };
  const relations = relating && isRelatable ? await relate(relating) : [];
  return memories.map((prepared, at) => ({
    prepared,
    relations: relations[at] ?? [],
    chunks: null,
    said: { saidAt: prepared.documentDate, heardAt: now },
    position: at,
  }));
};

export const createMemories = async (
  tx: Db,
  reach: Reach,
  request: Request,
  relating: Relating | null,
  spaces: readonly FillSpace[],
  now: number,
): Promise<{ documentId: string; memories: MemoryRecord[] }> => {
  const container = await ensureContainer(tx, request.tags, now);
  const place = await placeOf(tx, container);
  const doc = await sourceDocument(tx, container, request, now);
  const arrivals = await arrivalsOf(tx, container, request.memories, relating, now);
  const stored = await storeArrivals(tx, place, { doc, below: NOTHING_BELOW }, arrivals, spaces, now);
  const rows = stored.flatMap((row) => (row ? [row] : []));
  const described = new Map<number, MemoryRow>();
  for (const [index, row] of rows.entries())
    described.set(
      row.n,
      await describe(tx, described.get(row.n) ?? row, request.memories[index]?.metadata ?? null),
    );
  const records = await recordsOf(
    tx,
    reach,
    rows.map((row) => described.get(row.n) ?? row),
    now,
  );
  return { documentId: request.documentId, memories: records };
};

/** What the revision leaves out is inherited. A reason means nothing without a date. */
const revised = (former: MemoryRow, revision: Revision): PreparedMemory => {
  const inherit = <T>(given: T | undefined, own: T): T => (given === undefined ? own : given);
  const forgetAfter = inherit(revision.forgetAfter, former.forget_after);
  return {
    ...revision.prepared,
    forgetAfter,
    forgetReason: forgetAfter === null ? null : inherit(revision.forgetReason, former.forget_reason),
    metadata: inherit(revision.metadata, metadataIn(former)),
    documentDate: inherit(revision.documentDate, former.document_date),
    eventDates: revision.eventDates ?? (former.event_dates === null ? [] : JSON.parse(former.event_dates)),
  };
};

/** An expired memory lives on where it is given another time, or none. */
const isGone = (former: MemoryRow, revision: Revision, now: number): boolean =>
  former.is_forgotten === 1 || (revision.forgetAfter === undefined && isForgotten(former, now));

/** Behind all others, whatever their dates: who revises knows what is there. */
const insertRevised = async (
  tx: Db,
  place: Place,
  former: MemoryRow,
  prepared: PreparedMemory,
  spaces: readonly FillSpace[],
  now: number,
): Promise<MemoryRow> => {
  const versions = await versionsOf(tx, former.root);
  const unindexed = nothingUnindexed(spaces);
  const row = await insertMemory(
    tx,
    place,
    { prepared, said: { saidAt: now, heardAt: now } },
    { ...ALONE, versions, place: versions.length },
    unindexed,
    now,
  );
  await indexAll(tx, spaces, unindexed);
  return row;
};

/**
 * The request itself supports what it says, also when the documents of the former version are gone. The passages that
 * stated that one stay its sources as well: where it is shown or forgotten, so are they.
 */
const support = async (
  tx: Db,
  place: Place & { tags: string[] },
  row: MemoryRow,
  prepared: PreparedMemory,
  former: MemoryRow,
  now: number,
): Promise<void> => {
  const request = { tags: place.tags, documentId: newId(), memories: [prepared] };
  await addSources(tx, row.n, await sourceDocument(tx, place.container, request, now), null, now);
  const passages = await tx
    .selectFrom('memory_sources')
    .select(['doc', 'chunk'])
    .where('memory', '=', former.n)
    .where('chunk', '<>', '')
    .execute();
  for (const { doc, chunk } of passages) await addSources(tx, row.n, doc, [chunk], now);
};

export const reviseMemory = async (
  tx: Db,
  reach: Reach,
  id: string,
  revision: Revision,
  spaces: readonly FillSpace[],
  now: number,
): Promise<Revised> => {
  const former = await memoryById(tx, id);
  if (!former) return { outcome: 'missing' };
  const place = await placeOf(tx, former.container);
  if (!holdsAll(reach, place.tags)) return { outcome: 'missing' };
  if (former.is_latest === 0) return { outcome: 'superseded' };
  if (isGone(former, revision, now)) return { outcome: 'forgotten' };
  const prepared = revised(former, revision);
  const row = await insertRevised(tx, place, former, prepared, spaces, now);
  await support(tx, place, row, prepared, former, now);
  if (prepared.metadata) await replaceMetadata(tx, row, prepared.metadata);
  const [memory] = await recordsOf(tx, reach, [row], now);
  return memory ? { outcome: 'revised', memory } : { outcome: 'missing' };
};

const heldContainers = async (
  tx: Db,
  reach: Reach,
  containers: readonly number[],
): Promise<ReadonlySet<number>> => {
  const held = new Set<number>();
  for (const container of new Set(containers))
    if (holdsAll(reach, (await placeOf(tx, container)).tags)) held.add(container);
  return held;
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
  const containers = await heldContainers(
    tx,
    reach,
    rows.map((row) => row.container),
  );
  const held = rows.filter((row) => containers.has(row.container));
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

type ReviewAction = 'approve' | 'decline' | 'undo';

/** Only a guess that waits can be judged, and only a judgement can be taken back. */
const mayReview = (row: MemoryRow, action: ReviewAction, now: number): boolean => {
  if (row.is_latest === 0) return false;
  if (action === 'undo') return row.review !== null;
  return row.is_inference === 1 && row.review === null && !isForgotten(row, now);
};

/** To decline is to forget; taking an approval back brings nothing back that was forgotten since. */
const reviewed = (row: MemoryRow, action: ReviewAction) => {
  if (action === 'approve') return { is_inference: 0, review: 'approved' };
  if (action === 'decline') return { is_inference: 1, review: 'declined', is_forgotten: 1 };
  return {
    is_inference: 1,
    review: null,
    ...(row.review === 'declined' ? { is_forgotten: 0 } : {}),
  };
};

export const reviewMemory = async (
  tx: Db,
  reach: Reach,
  id: string,
  action: ReviewAction,
  now: number,
): Promise<Reviewed> => {
  const row = await memoryById(tx, id);
  if (!row || !holdsAll(reach, (await placeOf(tx, row.container)).tags)) return { outcome: 'refused' };
  if (!mayReview(row, action, now)) return { outcome: 'refused' };
  const changed = await tx
    .updateTable('memories')
    .set({ ...reviewed(row, action), updated_at: now })
    .where('n', '=', row.n)
    .returningAll()
    .executeTakeFirstOrThrow();
  const [memory] = await recordsOf(tx, reach, [changed], now);
  return memory ? { outcome: 'reviewed', memory } : { outcome: 'refused' };
};
