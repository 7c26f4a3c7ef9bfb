// The titles and summaries that documents are shown with: stored with their passages, and added to those of earlier releases.
import { sql } from '#kysely';
import type { Outline } from '../../../../lib/text/outline/draw-outline.ts';
import { MOST_OUTLINE_PIECES } from '../../../../lib/text/outline/outline-text.ts';
import { run } from '../../engine/run.ts';
import type { PartSize } from '../../ports/ingestion/layout.ts';
import type { OutlineJob } from '../../ports/ingestion/outlines.ts';
import { outlineColumns } from '../../statements/documents/outline-columns.ts';
import type { Db } from '../../tables/tables.ts';

interface UnoutlinedRow {
  n: number;
  revision: number;
  title: string | null;
  filepath: string | null;
  layout: string | null;
  content: string | null;
}

/** Conditions are written out as in the partial index of the migration. */
const UNOUTLINED = `deleted = 0 and title_origin is null and step in ('done', 'failed')`;

const firstPassages = async (db: Db, n: number): Promise<OutlineJob['passages']> =>
  (
    await run<OutlineJob['passages'][number]>(
      db,
      `select content as text, role, speaker, flags from chunks where doc = $1 order by position, part limit $2`,
      [n, MOST_OUTLINE_PIECES],
    )
  ).rows;

/** The name and the title of the first part that was read from a file or an address. */
const readingOf = (layout: string | null): OutlineJob['reading'] => {
  const [first]: readonly PartSize[] = layout === null ? [] : JSON.parse(layout);
  return { name: first?.reading?.name ?? null, title: first?.reading?.title ?? null };
};

/** The next documents that have none. */
export const readWithoutOutline = async (db: Db, limit: number): Promise<OutlineJob[]> => {
  const { rows } = await run<UnoutlinedRow>(
    db,
    `select n, revision, title, filepath, layout,
       case when source = 'memories' then content end as content
     from documents where ${UNOUTLINED} order by n limit $1`,
    [limit],
  );
  const jobs: OutlineJob[] = [];
  for (const { layout, ...row } of rows)
    jobs.push({ ...row, reading: readingOf(layout), passages: await firstPassages(db, row.n) });
  return jobs;
};

/** Only for documents that still have none: newer content brings its own. */
export const storeOutlines = async (
  tx: Db,
  outlines: readonly { n: number; revision: number; outline: Outline }[],
): Promise<void> => {
  for (const { n, revision, outline } of outlines.toSorted((a, b) => a.n - b.n))
    await tx
      .updateTable('documents')
      .set(outlineColumns(outline))
      .where('n', '=', n)
      .where('revision', '=', revision)
      .where('title_origin', 'is', null)
      .where('step', 'in', [sql.lit('done'), sql.lit('failed')])
      .execute();
};
