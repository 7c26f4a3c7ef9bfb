// The title and the summary that a model wrote about a document while it read it for memories.
import { sql } from '#kysely';
import type { HeldJob, JobOutline } from '../../../ports/memories/remembering.ts';
import type { Db } from '../../../tables/tables.ts';

/** Only while the text that the model read is the text of the document. A title that the text states of itself stays. */
export const storeWrittenOutline = async (
  tx: Db,
  { document, lease }: HeldJob,
  { title, summary, revision }: JobOutline,
): Promise<void> => {
  await tx
    .updateTable('documents')
    .set({
      shown_title: sql<string>`case when title_origin = 'stated' then shown_title else ${title} end`,
      title_origin: sql<'written'>`case when title_origin = 'stated' then title_origin else 'written' end`,
      summary,
      summary_origin: 'written',
    })
    .where('n', '=', document)
    .where('memory_lease', '=', lease)
    .where('indexed_revision', '=', revision)
    .where('title_origin', 'is not', null)
    .execute();
};
