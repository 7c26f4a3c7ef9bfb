// Locks that a write takes where several writes run at the same time (PostgreSQL): rows that it has read, and by which it
// decides, stay as they are until it ends. On SQLite one writer writes at a time, and no lock is taken.
// Every write takes locks in one order, so that two never wait for each other: names, documents in their order, chunks and
// memories, and the counts last (`counts.ts`).
import type { Db } from '../tables/tables.ts';
import { engineOf } from './engine.ts';

/** True: what was read before a lock may have changed until the write got it. */
export const needsLocks = (tx: Db): boolean => engineOf(tx).locks.needed;

const lockNames = async (tx: Db, names: readonly string[]): Promise<void> => {
  if (needsLocks(tx) && names.length > 0) await engineOf(tx).locks.names(tx, [...new Set(names)].sort());
};

/** For a write that looks a document up by its customId, which is unique within a set of tags. */
export const lockCustomIds = (
  tx: Db,
  customIds: readonly { readonly customId: string; readonly tagSet: string }[],
): Promise<void> =>
  lockNames(
    tx,
    customIds.map(({ customId, tagSet }) => `document ${tagSet} ${customId}`),
  );

/** For a write that changes memories: a new memory may change any other of its container by a relation. */
export const lockMemoriesOf = (tx: Db, containers: readonly number[]): Promise<void> =>
  lockNames(
    tx,
    containers.map((container) => `memories ${container}`),
  );

/** For a claim of documents to read for memories: one process at a time claims those of a container. */
export const lockReadingOf = (tx: Db, containers: readonly number[]): Promise<void> =>
  lockNames(
    tx,
    containers.map((container) => `reading ${container}`),
  );

/** For a write that makes tags, which are numbered one after another. */
export const lockNewTags = (tx: Db): Promise<void> => lockNames(tx, ['tags']);

export const lockDocuments = async (tx: Db, ns: readonly number[]): Promise<void> => {
  await engineOf(tx).locks.rows(tx, { table: 'documents', ns });
};

/** Locks those documents that no other write holds, and returns their numbers. */
export const lockFreeDocuments = (tx: Db, ns: readonly number[]): Promise<readonly number[]> =>
  engineOf(tx).locks.rows(tx, { table: 'documents', ns, free: true });

/** Chunks and memories by their numbers. */
export const lockUnits = async (tx: Db, ns: readonly number[]): Promise<void> => {
  await engineOf(tx).locks.rows(tx, { table: 'chunks', ns });
  await engineOf(tx).locks.rows(tx, { table: 'memories', ns });
};

/** Locks a document, and before it the memories of its container. */
export const lockWithMemories = async (tx: Db, document: number): Promise<void> => {
  if (!needsLocks(tx)) return;
  const row = await tx
    .selectFrom('documents')
    .select('container')
    .where('n', '=', document)
    .executeTakeFirst();
  if (row !== undefined) await lockMemoriesOf(tx, [row.container]);
  await lockDocuments(tx, [document]);
};
