// Changes and deletes existing documents.
import { countInContainer } from '../../engine/counts.ts';
import { lockCustomIds, needsLocks } from '../../engine/locks.ts';
import type { Patch, Updated } from '../../ports/documents.ts';
import type { Metadata } from '../../ports/metadata.ts';
import { ensureContainer, findContainer, tagSetKey } from '../../statements/containers.ts';
import type { ScopedWrite, WriteContext } from '../../statements/contexts.ts';
import { visibleStep } from '../../statements/documents/document-steps.ts';
import { FORMER_OUTLINE } from '../../statements/documents/outline-columns.ts';
import { replaceMetadata } from '../../statements/metadata.ts';
import { holdsAllTags, LIVING } from '../../statements/scoped-views.ts';
import type { Db } from '../../tables/tables.ts';
import { moveMemories } from '../memories/move-to-container.ts';
import { findFactsRefused } from './check-facts.ts';
import { findToChange } from './find-to-change.ts';
import { releaseFile } from './originals.ts';
import { findDocument } from './read.ts';
import { makeDue, requeued } from './retry.ts';
import { recordSubmission } from './submit.ts';
import { giveUpName, moveInThread } from './threads.ts';

interface ChangeTarget {
  n: number;
  id: string;
  container: number;
  contentHash: string;
  step: string;
  failure: string | null;
  /** A document that only supports direct memories is not read itself. */
  light: boolean;
  customId: string | null;
  metadata: Metadata | null;
  createdAt: number;
}

const readChangeTarget = async (tx: Db, n: number): Promise<ChangeTarget> => {
  const row = await tx
    .selectFrom('documents')
    .select([
      'n',
      'id',
      'container',
      'content_hash',
      'step',
      'failure_code',
      'custom_id',
      'metadata',
      'source',
    ])
    .select('created_at')
    .where('n', '=', n)
    .executeTakeFirstOrThrow();
  return {
    n: row.n,
    id: row.id,
    container: row.container,
    contentHash: row.content_hash,
    step: row.step,
    failure: row.failure_code,
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
        .where(LIVING)
        .executeTakeFirst();

/** Chunk numbers belong to a container, so a document that changes tags is indexed again (its vectors are reused). */
const countMove = async (tx: Db, target: ChangeTarget, container: number): Promise<void> => {
  await countInContainer(tx, target.container, { documents: -1 });
  await countInContainer(tx, container, { documents: 1 });
};

const waitsToBeMerged = async (tx: Db, n: number): Promise<boolean> =>
  (await tx
    .selectFrom('submissions')
    .select('n')
    .where('doc', '=', n)
    .where('decision', 'is', null)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** An equal text also counts as new if its processing failed or if a submission is still to be merged. */
const isRewritten = async (tx: Db, target: ChangeTarget, patch: Patch): Promise<boolean> =>
  patch.content !== undefined &&
  (patch.facts !== undefined ||
    patch.hash !== target.contentHash ||
    target.step === 'failed' ||
    (await waitsToBeMerged(tx, target.n)));

const applyContent = (patch: Patch) =>
  patch.content === undefined
    ? {}
    : {
        content: patch.content,
        content_hash: patch.hash ?? '',
        layout: null,
        note: null,
        heavy: patch.heavy ? 1 : 0,
        ...FORMER_OUTLINE,
        ...(patch.type === undefined ? {} : { type: patch.type }),
        ...(patch.url === undefined ? {} : { url: patch.url }),
      };

/** `everybodyMoves`: all documents of the container get the same tags. */
const applyPatch = async (
  { tx, now }: WriteContext,
  target: ChangeTarget,
  patch: Patch,
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
  if (moved) await countMove(tx, target, container);
  if (patch.metadata || moved) await replaceMetadata(tx, { n: target.n, container }, metadata);
  const stored = await tx
    .updateTable('documents')
    .set((eb) => ({
      updated_at: now,
      custom_id: customId,
      container,
      ...(patch.tags ? { tags: JSON.stringify(patch.tags) } : {}),
      ...(moved ? { moved: target.light ? 0 : 1, memory_lease: null } : {}),
      ...(patch.metadata ? { metadata: JSON.stringify(metadata) } : {}),
      ...(patch.title === undefined ? {} : { title: patch.title, title_given: 1 }),
      ...(patch.taskType === undefined ? {} : { task_type: patch.taskType }),
      ...(patch.filepath === undefined ? {} : { filepath: patch.filepath }),
      ...(patch.contextFilter === undefined ? {} : { context_filter: JSON.stringify(patch.contextFilter) }),
      ...(rewritten && patch.sentBy !== undefined ? { sent_by: patch.sentBy } : {}),
      ...(rewritten ? applyContent(patch) : {}),
      ...(again ? { ...requeued(now), revision: eb('revision', '+', 1) } : {}),
    }))
    .where('n', '=', target.n)
    .returning(['revision', 'step', 'dreaming', 'memory_state'])
    .executeTakeFirstOrThrow();
  if (patch.metadata || customId !== target.customId)
    await moveInThread(tx, { ...target, container, customId, metadata });
  if (moved)
    await moveMemories(tx, { doc: target.n, from: target.container, to: container, everybodyMoves }, now);
  if (rewritten) await releaseFile(tx, target.n);
  if (rewritten)
    await recordSubmission({ tx, now }, target.n, stored.revision, {
      replace: true,
      content: patch.content ?? '',
      hash: patch.hash ?? '',
      facts: patch.facts,
    });
  const waited = target.step !== 'done' && target.step !== 'failed' && target.failure !== null;
  if (waited) await makeDue(tx, target.n, now);
  const retrying = waited ? ({ retried: true } as const) : {};
  return { outcome: 'updated', id: target.id, step: visibleStep(stored), ...retrying };
};

/**
 * Moves a document to other tags, with all others of its container. A customId must be unique: if it is taken
 * there, the arriving document loses its own.
 */
export const retag = async (
  tx: Db,
  n: number,
  tags: readonly string[],
  now: number,
): Promise<{ keptName: boolean }> => {
  const target = await readChangeTarget(tx, n);
  if ((await applyPatch({ tx, now }, target, { tags }, true)).outcome === 'updated')
    return { keptName: true };
  await tx.updateTable('documents').set({ custom_id: null }).where('n', '=', n).execute();
  await giveUpName(tx, n);
  const nameless = await applyPatch({ tx, now }, { ...target, customId: null }, { tags }, true);
  if (nameless.outcome !== 'updated') throw new Error(`Document ${n} could not change its tags.`);
  return { keptName: false };
};

/** Nobody else takes the customId meanwhile. */
const lockNewName = async ({ tx, reach, now }: ScopedWrite, ref: string, patch: Patch): Promise<void> => {
  if (patch.customId === undefined || patch.customId === null || !needsLocks(tx)) return;
  const found = await findDocument({ db: tx, reach, now }, ref);
  if (found.outcome !== 'found') return;
  const tagSet = tagSetKey(patch.tags ?? found.document.tags);
  await lockCustomIds(tx, [{ customId: patch.customId, tagSet }]);
};

export const updateDocument = async (write: ScopedWrite, ref: string, patch: Patch): Promise<Updated> => {
  const { tx, reach, now } = write;
  await lockNewName(write, ref, patch);
  const found = await findToChange(write, ref);
  if (found.outcome !== 'found') return found;
  const { document } = found;
  if (!holdsAllTags(reach, document.tags)) return { outcome: 'forbidden', id: document.id };
  const target = await readChangeTarget(tx, document.n);
  const { tags = document.tags, taskType = document.taskType } = patch;
  const container = patch.tags ? await findContainer(tx, tags) : target.container;
  const stated = { container, tags, taskType };
  const refused = await findFactsRefused({ db: tx, reach, now }, patch.facts, stated);
  return refused ?? applyPatch({ tx, now }, target, patch);
};
