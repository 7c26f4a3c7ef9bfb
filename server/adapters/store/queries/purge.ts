// Erasing what deleted documents left: hidden at once, gone in slices.
import { sql } from 'kysely';
import type { IndexedChunk } from '../ingest-port.ts';
import { CONTAINER_SPAN, type Db } from '../tables.ts';
import { eraseChunks } from './commit.ts';
import { releaseFile } from './files.ts';
import { dropSources } from './memory-write.ts';
import { listSpaces } from './spaces.ts';
import { WORDS } from './units.ts';
import { writeVectors } from './vectors.ts';

const deletedDocument = (tx: Db) =>
  tx
    .selectFrom('documents')
    .select('n')
    .where('deleted', '=', sql.lit(1))
    .orderBy('n')
    .limit(1)
    .executeTakeFirst();

const shrink = async (
  tx: Db,
  chunks: readonly Pick<IndexedChunk, 'n' | 'part' | 'bodyTokens' | 'messageTokens'>[],
) => {
  for (const [container, members] of Map.groupBy(chunks, (chunk) => Math.floor(chunk.n / CONTAINER_SPAN))) {
    const first = members.filter((chunk) => chunk.part === 0);
    await tx
      .updateTable('containers')
      .set((eb) => ({
        chunks: eb('chunks', '-', members.length),
        body_tokens: eb(
          'body_tokens',
          '-',
          members.reduce((all, chunk) => all + chunk.bodyTokens, 0),
        ),
        messages: eb('messages', '-', first.length),
        message_tokens: eb(
          'message_tokens',
          '-',
          first.reduce((all, chunk) => all + chunk.messageTokens, 0),
        ),
      }))
      .where('n', '=', container)
      .execute();
  }
};

const eraseDocument = async (tx: Db, n: number): Promise<void> => {
  await tx.deleteFrom('document_meta').where('doc', '=', n).execute();
  await tx.deleteFrom('submissions').where('doc', '=', n).execute();
  await releaseFile(tx, n);
  await dropSources(tx, n, null);
  await tx.deleteFrom('documents').where('n', '=', n).execute();
};

/** Outlives a crash between erasing and scrubbing. */
const UNSCRUBBED = 'unscrubbed';

const noteUnscrubbed = async (tx: Db): Promise<void> => {
  await tx
    .insertInto('meta')
    .values({ key: UNSCRUBBED, value: '1' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

export const isUnscrubbed = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('meta').select('key').where('key', '=', UNSCRUBBED).executeTakeFirst()) !== undefined;

export const forgetUnscrubbed = async (tx: Db): Promise<void> => {
  await tx.deleteFrom('meta').where('key', '=', UNSCRUBBED).execute();
};

/** Up to `limit` chunks of deleted documents, and the documents that have none left; false: there was nothing. */
export const purgeSlice = async (tx: Db, limit: number): Promise<boolean> => {
  let left = limit;
  while (left > 0) {
    const document = await deletedDocument(tx);
    if (!document) return left < limit;
    if (left === limit) await noteUnscrubbed(tx);
    const chunks = await tx
      .selectFrom('chunks')
      .select(['n', 'part', 'body_tokens as bodyTokens', 'message_tokens as messageTokens'])
      .where('doc', '=', document.n)
      .limit(left)
      .execute();
    const ns = chunks.map((chunk) => chunk.n);
    await eraseChunks(tx, ns);
    await shrink(tx, chunks);
    for (const space of await listSpaces(tx))
      await writeVectors(
        tx,
        { id: space.id, dimensions: space.dimensions, keepExact: true },
        ns.map((n) => ({ n, vector: null })),
      );
    if (chunks.length < left) await eraseDocument(tx, document.n);
    left -= Math.max(1, chunks.length);
  }
  return true;
};

const totalChanges = async (tx: Db): Promise<number> => {
  const { rows } = await sql<{ total: number }>`select total_changes() as total`.execute(tx);
  return rows[0]?.total ?? 0;
};

/**
 * `secure_delete` overwrites table pages; the keyword index keeps deleted words until its segments are merged. A
 * negative number of pages begins to merge them all, a positive one goes on; false: nothing is left to merge.
 */
export const mergeWords = async (tx: Db, pages: number): Promise<boolean> => {
  const before = await totalChanges(tx);
  for (const words of Object.values(WORDS)) {
    const table = sql.table(words);
    await sql`insert into ${table} (${sql.ref(words)}, rank) values ('merge', ${pages})`.execute(tx);
  }
  // Each statement itself counts as one change.
  return (await totalChanges(tx)) - before > Object.keys(WORDS).length;
};
