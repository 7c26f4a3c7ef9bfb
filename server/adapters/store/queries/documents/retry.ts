// Runs documents again that failed or wait after a failure, because a caller asks for it.
import { sql } from '#kysely';
import type { Reach } from '../../../../core/scope.ts';
import { textList } from '../../engine/lists.ts';
import { lockDocuments, needsLocks } from '../../engine/locks.ts';
import type { Retried } from '../../ports/documents.ts';
import type { ScopedWrite } from '../../statements/contexts.ts';
import { holdsAllTags, visible } from '../../statements/scoped-views.ts';
import type { Db } from '../../tables/tables.ts';
import { findToChange } from './find-to-change.ts';

/** Everything that makes a document run again from the start. */
export const requeued = (now: number) => ({
  step: 'queued',
  attempts: 0,
  crashes: 0,
  due_at: now,
  lease: null,
  lease_boot: null,
  failure_code: null,
  failure_message: null,
  failure_retryable: null,
  progress_done: null,
  progress_total: null,
  progress_unit: null,
  updated_at: now,
});

/** A document that waits after a failure is tried at once, because a caller wants it. */
export const makeDue = async (tx: Db, n: number, now: number): Promise<void> => {
  await tx
    .updateTable('documents')
    .set({ due_at: now, attempts: 0 })
    .where('n', '=', n)
    .where('step', '=', sql.lit('queued'))
    .execute();
};

interface RetryTarget {
  n: number;
  step: string;
  failed: boolean;
  memoriesFailed: boolean;
}

const readTargets = async (tx: Db, reach: Reach, ids: readonly string[]): Promise<RetryTarget[]> => {
  const rows = await visible(tx, reach)
    .selectFrom('visible')
    .select(['n', 'tags', 'step', 'lease', 'failure_code', 'memory_state'])
    .where('id', 'in', textList(ids))
    .execute();
  return rows
    .filter(({ tags }) => holdsAllTags(reach, JSON.parse(tags)))
    .map((row) => ({
      n: row.n,
      step: row.step,
      failed: row.lease === null && row.step !== 'done' && row.failure_code !== null,
      memoriesFailed: row.memory_state === 'failed',
    }));
};

/** True if there was something to run again. */
const retryTarget = async (tx: Db, target: RetryTarget, now: number): Promise<boolean> => {
  if (target.failed) await tx.updateTable('documents').set(requeued(now)).where('n', '=', target.n).execute();
  if (target.memoriesFailed)
    await tx
      .updateTable('documents')
      .set({ memory_state: 'waiting', memory_attempts: 0, memory_due_at: now })
      .where('n', '=', target.n)
      .execute();
  return target.failed || target.memoriesFailed;
};

/** Returns the number of documents that run again; those that the caller may not change are left out. */
export const retryDocuments = async (
  { tx, reach, now }: ScopedWrite,
  ids: readonly string[],
): Promise<number> => {
  if (needsLocks(tx)) {
    const targets = await readTargets(tx, reach, ids);
    await lockDocuments(
      tx,
      targets.map(({ n }) => n),
    );
  }
  let retried = 0;
  for (const target of await readTargets(tx, reach, ids))
    if (await retryTarget(tx, target, now)) retried += 1;
  return retried;
};

export const retryDocument = async (write: ScopedWrite, ref: string): Promise<Retried> => {
  const { tx, reach, now } = write;
  const found = await findToChange(write, ref);
  if (found.outcome !== 'found') return found;
  const { id, tags, step } = found.document;
  if (!holdsAllTags(reach, tags)) return { outcome: 'forbidden', id };
  const [target] = await readTargets(tx, reach, [id]);
  if (target) await retryTarget(tx, target, now);
  return { outcome: 'updated', id, step: target?.failed ? 'queued' : step };
};
