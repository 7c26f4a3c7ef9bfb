// Changing memories for a caller: made directly, revised, forgotten, reviewed.

import type { Reach } from '../../../../core/scope.ts';
import { sha256 } from '../../../../lib/hash.ts';
import { newId } from '../../../../lib/ids.ts';
import { drawOutline } from '../../../../lib/text/outline/draw-outline.ts';
import { countInContainer } from '../../engine/counts.ts';
import { numberList, textList } from '../../engine/lists.ts';
import { lockMemoriesOf, needsLocks } from '../../engine/locks.ts';
import type {
  MemoryRecord,
  PreparedMemory,
  Reviewed,
  Revised,
  Revision,
} from '../../ports/memories/memories.ts';
import type { RelatedStatement, Relating } from '../../ports/memories/remembering.ts';
import type { Metadata } from '../../ports/metadata.ts';
import type { FillSpace } from '../../ports/spaces.ts';
import { ensureContainer } from '../../statements/containers.ts';
import type { ScopedWrite, WriteContext } from '../../statements/contexts.ts';
import { outlineColumns } from '../../statements/documents/outline-columns.ts';
import { numberedInsert } from '../../statements/insert.ts';
import { isForgotten, isLive, type MemoryRow, memoryRecords } from '../../statements/memory-rows.ts';
import { replaceMetadata } from '../../statements/metadata.ts';
import { holdsAllTags } from '../../statements/scoped-views.ts';
import type { Db } from '../../tables/tables.ts';
import { findComparableMemories } from './comparable.ts';
import { ALONE, type Arrival } from './placement.ts';
import { addSources, insertPlacedMemory, type MemoryContainer, storeArrivals } from './store.ts';
import { chainVersions, memoryById } from './versions.ts';

const containerWithTags = async (
  tx: Db,
  container: number,
): Promise<MemoryContainer & { tags: string[] }> => {
  const rows = await tx
    .selectFrom('container_tags')
    .innerJoin('tags', 'tags.n', 'container_tags.tag')
    .select(['tags.n', 'tags.tag'])
    .where('container_tags.container', '=', container)
    .execute();
  return { container, tagNumbers: rows.map((row) => row.n), tags: rows.map((row) => row.tag) };
};

interface DirectMemories {
  tags: readonly string[];
  documentId: string;
  memories: readonly PreparedMemory[];
}

const insertLight = numberedInsert('documents', [
  ...(['id', 'container', 'tags', 'type', 'content', 'content_hash', 'source', 'task_type'] as const),
  ...(['dreaming', 'step', 'revision', 'indexed_revision', 'due_at', 'created_at', 'updated_at'] as const),
  'memory_state',
  ...(['shown_title', 'title_origin', 'summary', 'summary_origin'] as const),
]);

/** Enough of many statements for a title and a summary: all other writes wait meanwhile. */
const OUTLINED_CHARACTERS = 2_000;

const statementsOutline = (content: string) =>
  outlineColumns(
    drawOutline({
      pieces: [{ text: content.slice(0, OUTLINED_CHARACTERS), role: null, isMessage: false }],
      stated: null,
      fileName: null,
      otherName: null,
    }),
  );

/** A light document as the source of direct memories; it has no chunks. */
const insertSourceDocument = async (
  tx: Db,
  container: number,
  request: DirectMemories,
  now: number,
): Promise<number> => {
  const content = request.memories.map((memory) => memory.memory).join('\n');
  const n = await insertLight(tx, {
    id: request.documentId,
    container,
    tags: JSON.stringify(request.tags),
    type: 'text',
    content,
    content_hash: sha256(content),
    source: 'memories',
    task_type: 'superrag',
    dreaming: 'instant',
    step: 'done',
    revision: 1,
    indexed_revision: 1,
    due_at: now,
    created_at: now,
    updated_at: now,
    memory_state: 'done',
    ...statementsOutline(content),
  });
  await countInContainer(tx, container, { documents: 1 });
  return n;
};

const storedMetadata = (row: Pick<MemoryRow, 'metadata'>): Metadata | null =>
  row.metadata === null ? null : JSON.parse(row.metadata);

/** An existing memory gets the given metadata in addition to its own. */
const addMetadata = async (tx: Db, row: MemoryRow, given: Metadata | null): Promise<MemoryRow> => {
  if (given === null) return row;
  const metadata = { ...storedMetadata(row), ...given };
  await replaceMetadata(tx, row, metadata);
  const text = JSON.stringify(metadata);
  await tx.updateTable('memories').set({ metadata: text }).where('n', '=', row.n).execute();
  return { ...row, metadata: text };
};

const NOTHING_BELOW: ReadonlyMap<number, number> = new Map();

/** A direct statement without a date is dated now. If it is about the same fact as a known memory, it becomes a version of it. */
const directArrivals = async (
  { tx, now }: WriteContext,
  container: number,
  memories: readonly PreparedMemory[],
  relating: Relating | null,
): Promise<Arrival[]> => {
  const statements = memories.map(
    (prepared): RelatedStatement => ({ ...prepared, saidAt: prepared.documentDate, heardAt: now }),
  );
  const isRelatable = statements.some(({ slot, about }) => slot !== null || about !== null);
  const relate = async ({ wanted, relate }: Relating) => {
    const stored = await findComparableMemories(
      tx,
      { container, contextFilter: null, wanted: wanted(statements) },
      now,
    );
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

/** Memories as a caller states or changes them. */
export interface CallerWrite extends ScopedWrite {
  readonly spaces: readonly FillSpace[];
}

export const storeDirectMemories = async (
  { tx, reach, spaces, now }: CallerWrite,
  request: DirectMemories,
  relating: Relating | null,
): Promise<{ documentId: string; memories: MemoryRecord[] }> => {
  const container = await ensureContainer(tx, request.tags, now);
  await lockMemoriesOf(tx, [container]);
  const tagged = await containerWithTags(tx, container);
  const doc = await insertSourceDocument(tx, container, request, now);
  const arrivals = await directArrivals({ tx, now }, container, request.memories, relating);
  const stored = await storeArrivals(
    { tx, now, container: tagged, spaces },
    { doc, below: NOTHING_BELOW, statedSince: now },
    arrivals,
  );
  const rows = stored.flatMap((row) => (row ? [row] : []));
  const described = new Map<number, MemoryRow>();
  for (const [index, row] of rows.entries())
    described.set(
      row.n,
      await addMetadata(tx, described.get(row.n) ?? row, request.memories[index]?.metadata ?? null),
    );
  const records = await memoryRecords(
    tx,
    reach,
    rows.map((row) => described.get(row.n) ?? row),
    now,
  );
  return { documentId: request.documentId, memories: records };
};

/** Missing fields of the revision are inherited. A reason has no meaning without a date. */
const revisedMemory = (former: MemoryRow, revision: Revision): PreparedMemory => {
  const inherit = <T>(given: T | undefined, own: T): T => (given === undefined ? own : given);
  const forgetAfter = inherit(revision.forgetAfter, former.forget_after);
  return {
    ...revision.prepared,
    forgetAfter,
    forgetReason: forgetAfter === null ? null : inherit(revision.forgetReason, former.forget_reason),
    metadata: inherit(revision.metadata, storedMetadata(former)),
    documentDate: inherit(revision.documentDate, former.document_date),
    eventDates: revision.eventDates ?? (former.event_dates === null ? [] : JSON.parse(former.event_dates)),
  };
};

/** An expired memory becomes valid again if the revision gives it another expiry, or none. */
const isGone = (former: MemoryRow, revision: Revision, now: number): boolean =>
  former.is_forgotten === 1 || (revision.forgetAfter === undefined && isForgotten(former, now));

/** A revision, bound to the memory that it replaces. */
interface RevisionWrite extends WriteContext {
  readonly spaces: readonly FillSpace[];
  readonly container: MemoryContainer & { tags: string[] };
  readonly former: MemoryRow;
  readonly prepared: PreparedMemory;
}

/** A revision comes after all other versions, regardless of dates: its author knows the stored one. */
const insertRevised = async (write: RevisionWrite): Promise<MemoryRow> => {
  const { tx, now, former, prepared } = write;
  const versions = await chainVersions(tx, former.root);
  const arrival = { prepared, said: { saidAt: now, heardAt: now } };
  return insertPlacedMemory(write, arrival, { ...ALONE, versions, position: versions.length });
};

/**
 * The request itself is a source of the revision, even after the documents of the former version are deleted. The chunks that
 * stated the former version stay sources as well, so they are shown and forgotten together with the memory.
 */
const supportRevision = async (write: RevisionWrite, memory: number): Promise<void> => {
  const { tx, now, container, former, prepared } = write;
  const request = { tags: container.tags, documentId: newId(), memories: [prepared] };
  const doc = await insertSourceDocument(tx, container.container, request, now);
  await addSources(write, memory, { doc, chunks: null });
  const chunks = await tx
    .selectFrom('memory_sources')
    .select(['doc', 'chunk'])
    .where('memory', '=', former.n)
    .where('chunk', '<>', '')
    .execute();
  for (const source of chunks) await addSources(write, memory, { doc: source.doc, chunks: [source.chunk] });
};

/** The memories of its container stay as they are until the write ends. */
const memoryToChange = async (tx: Db, id: string): Promise<MemoryRow | undefined> => {
  const found = await memoryById(tx, id);
  if (found === undefined || !needsLocks(tx)) return found;
  await lockMemoriesOf(tx, [found.container]);
  return memoryById(tx, id);
};

export const reviseMemory = async (
  { tx, reach, spaces, now }: CallerWrite,
  id: string,
  revision: Revision,
): Promise<Revised> => {
  const former = await memoryToChange(tx, id);
  if (!former) return { outcome: 'missing' };
  const container = await containerWithTags(tx, former.container);
  if (!holdsAllTags(reach, container.tags)) return { outcome: 'missing' };
  if (former.is_latest === 0) return { outcome: 'superseded' };
  if (isGone(former, revision, now)) return { outcome: 'forgotten' };
  const prepared = revisedMemory(former, revision);
  const write: RevisionWrite = { tx, now, spaces, container, former, prepared };
  const row = await insertRevised(write);
  await supportRevision(write, row.n);
  if (prepared.metadata) await replaceMetadata(tx, row, prepared.metadata);
  const [memory] = await memoryRecords(tx, reach, [row], now);
  return memory ? { outcome: 'revised', memory } : { outcome: 'missing' };
};

const heldContainers = async (
  tx: Db,
  reach: Reach,
  containers: readonly number[],
): Promise<ReadonlySet<number>> => {
  const held = new Set<number>();
  for (const container of new Set(containers))
    if (holdsAllTags(reach, (await containerWithTags(tx, container)).tags)) held.add(container);
  return held;
};

const liveByIds = (tx: Db, ids: readonly string[], now: number) =>
  tx
    .selectFrom('memories')
    .select(['n', 'id', 'container'])
    .where('id', 'in', textList(ids))
    .where(isLive(now))
    .execute();

export const forgetMemories = async (
  { tx, reach, now }: ScopedWrite,
  ids: readonly string[],
  request: { reason: string | null; batch: string | null },
): Promise<string[]> => {
  if (needsLocks(tx)) {
    const named = await liveByIds(tx, ids, now);
    await lockMemoriesOf(
      tx,
      named.map(({ container }) => container),
    );
  }
  const rows = await liveByIds(tx, ids, now);
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
    .where('n', 'in', numberList(held.map((row) => row.n)))
    .execute();
  return held.map((row) => row.id);
};

type ReviewAction = 'approve' | 'decline' | 'undo';

/** Only a pending guess can be judged, and only a judgement can be withdrawn. */
const mayReview = (row: MemoryRow, action: ReviewAction, now: number): boolean => {
  if (row.is_latest === 0) return false;
  if (action === 'undo') return row.review !== null;
  return row.is_inference === 1 && row.review === null && !isForgotten(row, now);
};

/** Declining forgets the memory; withdrawing an approval does not restore a memory that was forgotten since. */
const reviewColumns = (row: MemoryRow, action: ReviewAction) => {
  if (action === 'approve') return { is_inference: 0, review: 'approved' };
  if (action === 'decline') return { is_inference: 1, review: 'declined', is_forgotten: 1 };
  return {
    is_inference: 1,
    review: null,
    ...(row.review === 'declined' ? { is_forgotten: 0 } : {}),
  };
};

export const reviewMemory = async (
  { tx, reach, now }: ScopedWrite,
  id: string,
  action: ReviewAction,
): Promise<Reviewed> => {
  const row = await memoryToChange(tx, id);
  if (!row || !holdsAllTags(reach, (await containerWithTags(tx, row.container)).tags))
    return { outcome: 'refused' };
  if (!mayReview(row, action, now)) return { outcome: 'refused' };
  const changed = await tx
    .updateTable('memories')
    .set({ ...reviewColumns(row, action), updated_at: now })
    .where('n', '=', row.n)
    .returningAll()
    .executeTakeFirstOrThrow();
  const [memory] = await memoryRecords(tx, reach, [changed], now);
  return memory ? { outcome: 'reviewed', memory } : { outcome: 'refused' };
};
