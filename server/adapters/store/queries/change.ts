// Changing and deleting documents that exist.
import { type SqlBool, sql } from 'kysely';
import type { Reach } from '../../../lib/scope.ts';
import type { Metadata, Patch, Removal, Removed, Updated } from '../port.ts';
import type { Db } from '../tables.ts';
import { countDocuments, ensureContainer } from './containers.ts';
import { findDocument } from './documents-read.ts';
import { releaseFile } from './files.ts';
import { underPath } from './filters.ts';
import { moveMemories } from './memory-move.ts';
import { replaceMetadata } from './metadata.ts';
import { recordSubmission, requeued } from './submit.ts';
import { giveUpName, moveInThread } from './threads.ts';
import { containersWithAny, holdsAll, inList, visible } from './visible.ts';

interface Target {
  n: number;
  id: string;
  container: number;
  contentHash: string;
  step: string;
  /** It stands for what was said directly, and is not read itself. */
  light: boolean;
  customId: string | null;
  metadata: Metadata | null;
  createdAt: number;
}

const targetOf = async (tx: Db, n: number): Promise<Target> => {
  const row = await tx
    .selectFrom('documents')
    .select(['n', 'id', 'container', 'content_hash', 'step', 'custom_id', 'metadata', 'source', 'created_at'])
    .where('n', '=', n)
    .executeTakeFirstOrThrow();
  return {
    n: row.n,
    id: row.id,
    container: row.container,
    contentHash: row.content_hash,
    step: row.step,
    light: row.source === 'memories',
    customId: row.custom_id,
    metadata: row.metadata === null ? null : JSON.parse(row.metadata),
    createdAt: row.created_at,
  };
};

const holderOfCustomId = async (
  tx: Db,
  container: number,
  customId: string | null,
): Promise<{ n: number; id: string } | undefined> =>
  customId === null
    ? undefined
    : tx
        .selectFrom('documents')
        .select(['n', 'id'])
        .where('custom_id', '=', customId)
        .where('container', '=', container)
        .where('deleted', '=', sql.lit(0))
        .executeTakeFirst();

/** Chunk numbers belong to a container, so a document that changes tags is indexed again (its vectors are reused). */
const move = async (tx: Db, target: Target, container: number): Promise<void> => {
  await countDocuments(tx, target.container, -1);
  await countDocuments(tx, container, 1);
};

const waitsToBeMerged = async (tx: Db, n: number): Promise<boolean> =>
  (await tx
    .selectFrom('submissions')
    .select('n')
    .where('doc', '=', n)
    .where('decision', 'is', null)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** The stored text again is news as well when it failed, or when something would still be merged into it. */
const isRewritten = async (tx: Db, target: Target, patch: Patch): Promise<boolean> =>
  patch.content !== undefined &&
  (patch.hash !== target.contentHash || target.step === 'failed' || (await waitsToBeMerged(tx, target.n)));

const applyContent = (patch: Patch) =>
  patch.content === undefined
    ? {}
    : {
        content: patch.content,
        content_hash: patch.hash ?? '',
        layout: null,
        note: null,
        heavy: patch.heavy ? 1 : 0,
        ...(patch.type === undefined ? {} : { type: patch.type }),
        ...(patch.url === undefined ? {} : { url: patch.url }),
      };

const apply = async (
  tx: Db,
  target: Target,
  patch: Patch,
  now: number,
  everybodyMoves = false,
): Promise<Updated> => {
  const container = patch.tags ? await ensureContainer(tx, patch.tags, now) : target.container;
  const customId = patch.customId ?? target.customId;
  const holder = await holderOfCustomId(tx, container, customId);
  if (holder && holder.n !== target.n) return { outcome: 'taken', id: holder.id };
  const moved = container !== target.container;
  const rewritten = await isRewritten(tx, target, patch);
  const again = rewritten || (moved && !target.light);
  const metadata = patch.metadata ? { ...target.metadata, ...patch.metadata } : target.metadata;
  if (moved) await move(tx, target, container);
  if (patch.metadata || moved) await replaceMetadata(tx, { n: target.n, container }, metadata);
  const { revision } = await tx
    .updateTable('documents')
    .set((eb) => ({
      updated_at: now,
      custom_id: customId,
      container,
      ...(patch.tags ? { tags: JSON.stringify(patch.tags) } : {}),
      ...(moved ? { moved: target.light ? 0 : 1, memory_lease: null } : {}),
      ...(patch.metadata ? { metadata: JSON.stringify(metadata) } : {}),
      ...(patch.taskType === undefined ? {} : { task_type: patch.taskType }),
      ...(patch.filepath === undefined ? {} : { filepath: patch.filepath }),
      ...(patch.contextFilter === undefined ? {} : { context_filter: JSON.stringify(patch.contextFilter) }),
      ...(rewritten && patch.sentBy !== undefined ? { sent_by: patch.sentBy } : {}),
      ...(rewritten ? applyContent(patch) : {}),
      ...(again ? { ...requeued(now), revision: eb('revision', '+', 1) } : {}),
    }))
    .where('n', '=', target.n)
    .returning('revision')
    .executeTakeFirstOrThrow();
  if (patch.metadata || customId !== target.customId)
    await moveInThread(tx, { ...target, container, customId, metadata });
  if (moved)
    await moveMemories(tx, { doc: target.n, from: target.container, to: container, everybodyMoves }, now);
  if (rewritten) await releaseFile(tx, target.n);
  if (rewritten)
    await recordSubmission(
      tx,
      target.n,
      revision,
      { replace: true, content: patch.content ?? '', hash: patch.hash ?? '' },
      now,
    );
  return { outcome: 'updated', id: target.id, status: again ? 'queued' : 'done' };
};

/**
 * Under other tags, with all others of its container. One name cannot mean two documents: where the customId is taken
 * over there, the one that arrives gives its own up.
 */
export const retag = async (
  tx: Db,
  n: number,
  tags: readonly string[],
  now: number,
): Promise<{ keptName: boolean }> => {
  const target = await targetOf(tx, n);
  if ((await apply(tx, target, { tags }, now, true)).outcome === 'updated') return { keptName: true };
  await tx.updateTable('documents').set({ custom_id: null }).where('n', '=', n).execute();
  await giveUpName(tx, n);
  const nameless = await apply(tx, { ...target, customId: null }, { tags }, now, true);
  if (nameless.outcome !== 'updated') throw new Error(`Document ${n} could not change its tags.`);
  return { keptName: false };
};

export const updateDocument = async (
  tx: Db,
  reach: Reach,
  ref: string,
  patch: Patch,
  now: number,
): Promise<Updated> => {
  const found = await findDocument(tx, reach, ref);
  if (found.outcome !== 'found') return found;
  const { document } = found;
  if (!holdsAll(reach, document.tags)) return { outcome: 'forbidden', id: document.id };
  return apply(tx, await targetOf(tx, document.n), patch, now);
};

const NOTHING: Removed = { deleted: [], missing: [], forbidden: [], ambiguous: [] };
/** Marking many at once would hold up every other writer. */
const REMOVED_PER_CALL = 2000;

/** Hidden at once and for everybody; `purge.ts` erases what they leave behind. */
export const markDeleted = async (
  tx: Db,
  documents: readonly { n: number; container: number }[],
  now: number,
) => {
  await tx
    .updateTable('documents')
    .set({ deleted: 1, lease: null, lease_boot: null, updated_at: now })
    .where('n', 'in', inList(documents.map((document) => document.n)))
    .execute();
  const perContainer = new Map<number, number>();
  for (const { container } of documents) perContainer.set(container, (perContainer.get(container) ?? 0) + 1);
  for (const [container, count] of perContainer) await countDocuments(tx, container, -count);
};

const removeRef = async (tx: Db, reach: Reach, ref: string, now: number): Promise<Removed> => {
  const found = await findDocument(tx, reach, ref);
  if (found.outcome === 'missing') return { ...NOTHING, missing: [ref] };
  if (found.outcome === 'foreign') return { ...NOTHING, forbidden: [ref] };
  if (found.outcome === 'ambiguous') return { ...NOTHING, ambiguous: found.ids };
  const { document } = found;
  if (!holdsAll(reach, document.tags)) return { ...NOTHING, forbidden: [document.id] };
  const { container } = await targetOf(tx, document.n);
  await markDeleted(tx, [{ n: document.n, container }], now);
  return { ...NOTHING, deleted: [document.id] };
};

const removeIds = async (tx: Db, reach: Reach, refs: readonly string[], now: number): Promise<Removed> => {
  const result: Removed = { deleted: [], missing: [], forbidden: [], ambiguous: [] };
  for (const ref of new Set(refs)) {
    const one = await removeRef(tx, reach, ref, now);
    result.deleted.push(...one.deleted);
    result.missing.push(...one.missing);
    result.forbidden.push(...one.forbidden);
    if (one.ambiguous.length > 0) result.ambiguous.push(ref);
  }
  return result;
};

/** Everything of these tags or below this path that the caller holds; at most a slice at a time. */
const removeMatching = async (
  tx: Db,
  reach: Reach,
  target: Extract<Removal, { by: 'tags' | 'filepath' }>,
  now: number,
): Promise<Removed> => {
  const chosen = visible(tx, reach)
    .selectFrom('visible')
    .select(['n', 'id', 'container', 'tags'])
    .where(
      target.by === 'tags'
        ? sql<SqlBool>`container in ${containersWithAny(target.tags)}`
        : underPath(sql.ref('filepath'), target.filepath),
    );
  const held =
    reach.holds === null
      ? chosen
      : chosen.where(
          sql<boolean>`not exists (select 1 from container_tags inner join tags on tags.n = container_tags.tag
            where container_tags.container = visible.container and tags.tag not in ${inList(reach.holds)})`,
        );
  const rows = await held.limit(REMOVED_PER_CALL).execute();
  await markDeleted(tx, rows, now);
  return { ...NOTHING, deleted: rows.map((row) => row.id) };
};

export const removeDocuments = async (
  tx: Db,
  reach: Reach,
  target: Removal,
  now: number,
): Promise<Removed> => {
  if (target.by === 'ref') return removeRef(tx, reach, target.ref, now);
  if (target.by === 'ids') return removeIds(tx, reach, target.ids, now);
  return removeMatching(tx, reach, target, now);
};

/** A slice came back full: there may be more. */
export const mayHaveMore = (target: Removal, removed: Removed): boolean =>
  (target.by === 'tags' || target.by === 'filepath') && removed.deleted.length === REMOVED_PER_CALL;
