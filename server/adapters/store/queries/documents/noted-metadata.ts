// Metadata that the service adds to a document, in addition to the sender's own.
import type { Claim } from '../../ports/ingestion/claims.ts';
import type { NotedMetadata } from '../../ports/ingestion/commits.ts';
import type { Metadata } from '../../ports/metadata.ts';
import { replaceMetadata } from '../../statements/metadata.ts';
import type { Db } from '../../tables/tables.ts';

/** The sender's values are kept; values that the service added before are removed unless a caller changed them. */
const withNoted = (metadata: Metadata, { former, now }: NotedMetadata): Metadata => {
  const own = Object.entries(metadata).filter(([key, value]) => former[key] !== value);
  return { ...now, ...Object.fromEntries(own) };
};

const isSame = (a: Metadata, b: Metadata): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([key, value]) => b[key] === value);

/** In the commit itself: metadata may have been changed while the document was read. */
export const noteMetadata = async (
  tx: Db,
  { n, container }: Pick<Claim, 'n' | 'container'>,
  noted: NotedMetadata,
): Promise<void> => {
  const row = await tx
    .selectFrom('documents')
    .select('metadata')
    .where('n', '=', n)
    .executeTakeFirstOrThrow();
  const before: Metadata = row.metadata === null ? {} : JSON.parse(row.metadata);
  const after = withNoted(before, noted);
  const metadata = Object.keys(after).length === 0 ? null : after;
  await tx
    .updateTable('documents')
    .set({ facts: JSON.stringify(noted.now), metadata: metadata === null ? null : JSON.stringify(metadata) })
    .where('n', '=', n)
    .execute();
  if (!isSame(before, after)) await replaceMetadata(tx, { n, container }, metadata);
};
