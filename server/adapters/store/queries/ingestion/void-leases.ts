// Leases that end without their work: those of boots that ended, and those of a boot that outlived a crash of the database.
import { run } from '../../engine/run.ts';
import type { Db } from '../../tables/tables.ts';
import { SUSPECT } from './turns.ts';

/** A document that was claimed at this many crashes of the process is given up. */
const CRASHES_BEFORE_FAILED = 5;

/** A document whose reading for memories was under way at this many crashes of the worker is left alone. */
const CRASHES_OF_REMEMBERING = 5;

/** The leases whose boot has ended, as conditions. */
export interface FormerLeases {
  readonly documents: string;
  readonly memories: string;
  /** The condition on runs of connections. */
  readonly runs: string;
}

/** For a boot that is alone: every other one has ended. */
export const leasesOfOthers = (boot: string): FormerLeases => ({
  documents: `lease_boot <> '${boot.replaceAll("'", "''")}'`,
  memories: 'memory_lease is not null',
  runs: `substr(lease, 1, ${boot.length + 1}) <> '${boot.replaceAll("'", "''")}~'`,
});

const voidMemoryLeases = async (tx: Db, { memories }: FormerLeases, crashed: boolean): Promise<void> => {
  await run(
    tx,
    `update documents set memory_lease = null, memory_attempts = memory_attempts + $1 where ${memories}`,
    [crashed ? 1 : 0],
  );
  if (!crashed) return;
  await run(
    tx,
    `update documents set redraw = 'failed', memory_attempts = 0
     where redraw = 'waiting' and memory_state <> 'waiting' and memory_attempts >= ${CRASHES_OF_REMEMBERING}`,
    [],
  );
  await run(
    tx,
    `update documents set memory_state = 'failed', memory_attempts = 0, memory_failure_code = 'crashed_repeatedly',
       memory_failure_message = $1, memory_failure_retryable = 1
     where deleted = 0 and memory_state = 'waiting' and memory_attempts >= ${CRASHES_OF_REMEMBERING}`,
    [
      `Reading this document for memories stopped the ingestion worker ${CRASHES_OF_REMEMBERING} times, so it keeps its passages only. Send it again to retry.`,
    ],
  );
};

export const voidFormerLeases = async (
  tx: Db,
  { former, crashed }: { former: FormerLeases; crashed: boolean },
  now: number,
): Promise<{ resumed: number; runs: number }> => {
  await voidMemoryLeases(tx, former, crashed);
  const { rows: runs } = await run(
    tx,
    `update connections set lease = null where lease is not null and ${former.runs} returning id`,
    [],
  );
  const { rows: resumed } = await run(
    tx,
    `update documents set step = 'queued', lease = null, lease_boot = null, crashes = crashes + 1,
       progress_done = null, progress_total = null
     where lease is not null and ${former.documents} returning n`,
    [],
  );
  await run(
    tx,
    `update documents set step = 'failed', failure_code = 'crashed_repeatedly', failure_message = $1,
       failure_retryable = 1, updated_at = $2
     where ${SUSPECT} and crashes >= ${CRASHES_BEFORE_FAILED}`,
    [
      `The server stopped ${CRASHES_BEFORE_FAILED} times while it read this document, so it is left alone. Send it again to retry.`,
      now,
    ],
  );
  return { resumed: resumed.length, runs: runs.length };
};

/**
 * Frees everything that this boot holds, without counting a crash: a database that crashed may have lost the ends of work that were
 * stored without waiting for its disk. What is under way loses its lease as well, and is done again.
 */
export const giveBackLeases = async (tx: Db, boot: string): Promise<void> => {
  await run(
    tx,
    `update documents set step = 'queued', lease = null, lease_boot = null, progress_done = null, progress_total = null
     where lease is not null and lease_boot = $1`,
    [boot],
  );
  await run(
    tx,
    `update documents set memory_lease = null
     where memory_lease is not null and substr(memory_lease, 1, length($1) + 1) = $1 || '~'`,
    [boot],
  );
};
