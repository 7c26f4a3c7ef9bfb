// Locks of a write, where several writes run at the same time: what it reads and then decides by stays as it is until it ends.
// They are taken in one order, so that two writes never wait for each other: names, documents in their order, chunks and
// memories. What is counted comes last (`counts.ts`).
import type { Db } from '../tables/tables.ts';
import { engineOf } from './engine.ts';

/** True: what was read before a lock may have changed until the write got it. */
export const needsLocks = (tx: Db): boolean => engineOf(tx).locks.needed;

const lockNames = async (tx: Db, names: readonly string[]): Promise<void> => {
  if (needsLocks(tx) && names.length > 0) await engineOf(tx).locks.names(tx, [...new Set(names)].sort());
};

/** A document is known by its customId within a set of tags. */
export const lockCustomIds = (
  tx: Db,
  customIds: readonly { readonly customId: string; readonly tagSet: string }[],
): Promise<void> =>
  lockNames(
    tx,
    customIds.map(({ customId, tagSet }) => `document ${tagSet} ${customId}`),
  );

/** Memories of a container are changed by one write at a time: a new one may change any other by its relations. */
export const lockMemoriesOf = (tx: Db, containers: readonly number[]): Promise<void> =>
  lockNames(
    tx,
    containers.map((container) => `memories ${container}`),
  );

/** One process at a time takes documents of a container to read them for memories. */
export const lockReadingOf = (tx: Db, containers: readonly number[]): Promise<void> =>
  lockNames(
    tx,
    containers.map((container) => `reading ${container}`),
  );

/** Tags are numbered one after another. */
export const lockNewTags = (tx: Db): Promise<void> => lockNames(tx, ['tags']);

export const lockDocuments = async (tx: Db, ns: readonly number[]): Promise<void> => {
  await engineOf(tx).locks.rows(tx, { table: 'documents', ns });
};

/** Those of the documents that no other write holds. */
export const lockFreeDocuments = (tx: Db, ns: readonly number[]): Promise<readonly number[]> =>
  engineOf(tx).locks.rows(tx, { table: 'documents', ns, free: true });

/** Chunks and memories. */
export const lockUnits = async (tx: Db, ns: readonly number[]): Promise<void> => {
  await engineOf(tx).locks.rows(tx, { table: 'chunks', ns });
  await engineOf(tx).locks.rows(tx, { table: 'memories', ns });
};

/** The document, and before it the memories of its container. */
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
