// Erasing what deleted documents left: hidden at once, gone in slices.
import { sql } from 'kysely';
import type { IndexedChunk } from '../ingest-port.ts';
import { CONTAINER_SPAN, type Db } from '../tables.ts';
import { eraseChunks } from './commit.ts';
import { listSpaces } from './spaces.ts';
import { writeVectors } from './vectors.ts';

const deletedDocument = (tx: Db) =>
  tx.selectFrom('documents').select('n').where('deleted', '=', 1).orderBy('n').limit(1).executeTakeFirst();

const shrink = async (tx: Db, chunks: readonly Pick<IndexedChunk, 'n' | 'part' | 'bodyTokens' | 'messageTokens'>[]) => {
  for (const [container, members] of Map.groupBy(chunks, (chunk) => Math.floor(chunk.n / CONTAINER_SPAN))) {
    const first = members.filter((chunk) => chunk.part === 0);
    await tx
      .updateTable('containers')
      .set((eb) => ({
        chunks: eb('chunks', '-', members.length),
        body_tokens: eb('body_tokens', '-', members.reduce((all, chunk) => all + chunk.bodyTokens, 0)),
        messages: eb('messages', '-', first.length),
        message_tokens: eb('message_tokens', '-', first.reduce((all, chunk) => all + chunk.messageTokens, 0)),
      }))
      .where('n', '=', container)
      .execute();
  }
};

const eraseDocument = async (tx: Db, n: number): Promise<void> => {
  await tx.deleteFrom('document_meta').where('doc', '=', n).execute();
  await tx.deleteFrom('submissions').where('doc', '=', n).execute();
  await tx.deleteFrom('documents').where('n', '=', n).execute();
};

/** Up to `limit` chunks of deleted documents, and the documents that have none left. */
export const purgeSlice = async (tx: Db, limit: number): Promise<boolean> => {
  let left = limit;
  while (left > 0) {
    const document = await deletedDocument(tx);
    if (!document) return false;
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

/** `secure_delete` overwrites table pages; the keyword index keeps deleted words until its segments are merged. */
export const optimiseWords = async (tx: Db): Promise<void> => {
  await sql`insert into chunk_words (chunk_words) values ('optimize')`.execute(tx);
};
