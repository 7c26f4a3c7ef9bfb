// Finds a document that is about to be changed: it stays as it was found until the write ends.
import { lockDocuments, needsLocks } from '../../engine/locks.ts';
import type { FoundDocument } from '../../ports/documents.ts';
import type { ScopedWrite } from '../../statements/contexts.ts';
import { findDocument } from './read.ts';

export const findToChange = async ({ tx, reach, now }: ScopedWrite, ref: string): Promise<FoundDocument> => {
  const found = await findDocument({ db: tx, reach, now }, ref);
  if (found.outcome !== 'found' || !needsLocks(tx)) return found;
  await lockDocuments(tx, [found.document.n]);
  return findDocument({ db: tx, reach, now }, ref);
};
