// The lease under which a document is read for memories.
import { randomBytes } from 'node:crypto';
import { lockDocuments, lockFreeDocuments, lockReadingOf, needsLocks } from '../../../engine/locks.ts';
import { run } from '../../../engine/run.ts';
import type { HeldJob } from '../../../ports/memories/remembering.ts';
import { LIVING } from '../../../statements/scoped-views.ts';
import type { Db } from '../../../tables/tables.ts';
import { WAITS_FOR_MEMORIES } from './memory-turns.ts';

/** The caller names the lease: a write that is repeated after a lost answer takes the documents under the same one. */
export interface FreshLease {
  readonly boot: string;
  readonly lease: string;
}

/** A lease begins with its boot, so that the leases of a boot that ended are known. */
export const newLease = (boot: string): string => `${boot}~${randomBytes(12).toString('base64url')}`;

/** Containers of which another boot has documents: memories that two wrote at once would make each other's relations wrong. */
export const containersElsewhere = async (db: Db, boot: string): Promise<number[]> => {
  if (!needsLocks(db)) return [];
  const { rows } = await run<{ container: number }>(
    db,
    `select distinct container from documents where memory_lease is not null and substr(memory_lease, 1, length($1)) <> $1`,
    [boot],
  );
  return rows.map(({ container }) => container);
};

/** The documents among these that no other boot may take until this write ends. */
export const documentsToRead = async (
  tx: Db,
  boot: string,
  ns: readonly number[],
): Promise<readonly number[]> => {
  if (!needsLocks(tx)) return ns;
  const { rows } = await run<{ n: number; container: number }>(
    tx,
    'select n, container from documents where n in (select value from number_list($1))',
    [JSON.stringify(ns)],
  );
  await lockReadingOf(
    tx,
    rows.map(({ container }) => container),
  );
  const elsewhere = new Set(await containersElsewhere(tx, boot));
  return lockFreeDocuments(
    tx,
    rows.flatMap(({ n, container }) => (elsewhere.has(container) ? [] : [n])),
  );
};

/** Takes the chosen documents that still wait. */
export const leaseToRemember = async (
  tx: Db,
  { boot, lease }: FreshLease,
  ns: readonly number[],
): Promise<void> => {
  await run(
    tx,
    `update documents set memory_lease = $1 where n in (select value from number_list($2))
     and ${WAITS_FOR_MEMORIES} and memory_lease is null`,
    [lease, JSON.stringify(await documentsToRead(tx, boot, ns))],
  );
};

/** Frees documents whose lease did not reach their reader. */
export const giveBackReading = async (tx: Db, lease: string, ns: readonly number[]): Promise<void> => {
  await lockDocuments(tx, ns);
  await run(
    tx,
    'update documents set memory_lease = null where n in (select value from number_list($2)) and memory_lease = $1',
    [lease, JSON.stringify(ns)],
  );
};

export const isLeaseStanding = async (tx: Db, job: HeldJob): Promise<boolean> => {
  const row = await tx
    .selectFrom('documents')
    .select('n')
    .where('n', '=', job.document)
    .where('memory_lease', '=', job.lease)
    .where(LIVING)
    .executeTakeFirst();
  return row !== undefined;
};
