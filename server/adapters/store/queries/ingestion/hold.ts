// Documents that wait for an embedder that is at fault: held back with the reason, and released together.
import { TEXT_FAULTS } from '../../../../core/job-failure.ts';
import { numberList } from '../../engine/lists.ts';
import { lockFreeDocuments } from '../../engine/locks.ts';
import { run } from '../../engine/run.ts';
import type { StoredFailure } from '../../ports/documents.ts';
import type { HeldClaim } from '../../ports/ingestion/claims.ts';
import { IN_WORK_TEXT } from '../../statements/documents/document-steps.ts';
import { FAILED_BY_EMBEDDER } from '../../statements/documents/embedder-faults.ts';
import type { Db } from '../../tables/tables.ts';
import { failureColumns, inOrder, updateStanding } from './claim.ts';

/** The attempts are not counted, because they say nothing about these documents. */
export const holdClaims = async (
  tx: Db,
  claims: readonly HeldClaim[],
  reason: StoredFailure,
  dueAt: number,
): Promise<void> => {
  const held = { step: 'queued', lease: null, lease_boot: null, crashes: 0, due_at: dueAt };
  for (const claim of inOrder(claims))
    await updateStanding(tx, claim)
      .set({ ...held, ...failureColumns(reason) })
      .execute();
};

/** Holds documents that were chosen to be claimed next. */
export const holdWaiting = async (
  tx: Db,
  ns: readonly number[],
  reason: StoredFailure,
  dueAt: number,
): Promise<void> => {
  await tx
    .updateTable('documents')
    .set({ due_at: dueAt, ...failureColumns(reason) })
    .where('n', 'in', numberList(await lockFreeDocuments(tx, ns)))
    .where('lease', 'is', null)
    .execute();
};

const TEXTS = TEXT_FAULTS.map((code) => `'${code}'`).join(', ');
const FAULTS = {
  embedder: FAILED_BY_EMBEDDER,
  any: `(${FAILED_BY_EMBEDDER} or failure_code in (${TEXTS}))`,
};

/** Documents that wait or failed by the fault of the embedder, or with `any` by its refusal of a text, run again now. */
export const releaseHeldDocuments = async (
  tx: Db,
  faults: keyof typeof FAULTS,
  limit: number,
  now: number,
): Promise<number> => {
  const { rows } = await run(
    tx,
    `update documents set step = 'queued', attempts = 0, crashes = 0, due_at = $1,
       failure_code = null, failure_message = null, failure_retryable = null
     where n in (select n from documents where deleted = 0 and failure_code is not null and ${FAULTS[faults]}
       and lease is null and step in ('queued', 'failed') limit 0 + $2)
     returning n`,
    [now, limit],
  );
  return rows.length;
};

/** A start tries everything that waits at once. */
export const wakeWaiting = async (tx: Db, now: number): Promise<void> => {
  await run(
    tx,
    `update documents set due_at = $1
       where lease is null and deleted = 0 and ${IN_WORK_TEXT} and due_at > $1`,
    [now],
  );
};
