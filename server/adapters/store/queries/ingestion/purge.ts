// Erases the rows of deleted documents, which are already hidden, in slices.
import { sql } from '#kysely';
import { containerOfNumber } from '../../../../core/chunks/chunk-number.ts';
import { lockMemoriesOf } from '../../engine/locks.ts';
import type { Db } from '../../tables/tables.ts';
import { releaseFile } from '../documents/originals.ts';
import { dropSources } from '../memories/erase.ts';
import { listSpaces } from '../spaces/spaces.ts';
import { writeVectors } from '../spaces/vectors.ts';
import { eraseChunks, shrinkContainer } from './commit.ts';
import { noteUnscrubbed } from './unscrubbed.ts';

/** The next documents, with a lock on the memories that they support. Those that are still hidden are not settled yet. */
const deletedDocuments = async (tx: Db, limit: number): Promise<number[]> => {
  const rows = await tx
    .selectFrom('documents')
    .select(['n', 'container'])
    .where('deleted', '=', sql.lit(1))
    .where('n', 'not in', (eb) => eb.selectFrom('documents_hidden').select('doc'))
    .orderBy('n')
    .limit(limit)
    .execute();
  await lockMemoriesOf(
    tx,
    rows.map(({ container }) => container),
  );
  return rows.map(({ n }) => n);
};

const eraseDocument = async (tx: Db, n: number): Promise<void> => {
  await tx.deleteFrom('document_meta').where('doc', '=', n).execute();
  await tx.deleteFrom('submissions').where('doc', '=', n).execute();
  await releaseFile(tx, n);
  await dropSources(tx, n, null);
  await tx.deleteFrom('documents').where('n', '=', n).execute();
};

/** Erases up to `limit` chunks of deleted documents, and the documents without remaining chunks; false: nothing was left. */
export const purgeSlice = async (tx: Db, limit: number): Promise<boolean> => {
  const documents = await deletedDocuments(tx, limit);
  if (documents.length === 0) return false;
  await noteUnscrubbed(tx);
  let left = limit;
  for (const n of documents) {
    if (left <= 0) break;
    const chunks = await tx
      .selectFrom('chunks')
      .select(['n', 'part', 'body_tokens as bodyTokens', 'message_tokens as messageTokens'])
      .where('doc', '=', n)
      .limit(left)
      .execute();
    const ns = chunks.map((chunk) => chunk.n);
    await eraseChunks(tx, ns);
    for (const [container, members] of Map.groupBy(chunks, (chunk) => containerOfNumber(chunk.n)))
      await shrinkContainer(tx, container, members);
    for (const space of await listSpaces(tx))
      await writeVectors(
        tx,
        { id: space.id, dimensions: space.dimensions, keepExact: true },
        ns.map((chunk) => ({ n: chunk, vector: null })),
      );
    if (chunks.length < left) await eraseDocument(tx, n);
    left -= Math.max(1, chunks.length);
  }
  return true;
};
