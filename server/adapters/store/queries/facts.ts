// What the service notes in a document's metadata by itself, beside what its sender wrote there.
import type { Claim, Facts } from '../ingest-port.ts';
import type { Metadata } from '../port.ts';
import type { Db } from '../tables.ts';
import { replaceMetadata } from './metadata.ts';

/** What a sender wrote or changed stays; what was noted the last time goes where nobody changed it. */
export const withFacts = (metadata: Metadata, { former, now }: Facts): Metadata => {
  const own = Object.entries(metadata).filter(([key, value]) => former[key] !== value);
  return { ...now, ...Object.fromEntries(own) };
};

const isSame = (a: Metadata, b: Metadata): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([key, value]) => b[key] === value);

/** In the commit itself: metadata may have been changed while the document was read. */
export const noteFacts = async (tx: Db, { n, container }: Claim, facts: Facts): Promise<void> => {
  const row = await tx
    .selectFrom('documents')
    .select('metadata')
    .where('n', '=', n)
    .executeTakeFirstOrThrow();
  const before: Metadata = row.metadata === null ? {} : JSON.parse(row.metadata);
  const after = withFacts(before, facts);
  const metadata = Object.keys(after).length === 0 ? null : after;
  await tx
    .updateTable('documents')
    .set({ facts: JSON.stringify(facts.now), metadata: metadata === null ? null : JSON.stringify(metadata) })
    .where('n', '=', n)
    .execute();
  if (!isSame(before, after)) await replaceMetadata(tx, { n, container }, metadata);
};
