// The columns of the title and the summary that a document is shown with.
import { sql } from 'kysely';
import type { Outline } from '../../../../lib/text/outline/draw-outline.ts';

/** The columns of an outline, emptied when content is replaced: nothing of it may stay, and the new text gets its own. */
export const FORMER_OUTLINE = {
  title: sql<string | null>`case when title_given = 1 then title end`,
  shown_title: null,
  title_origin: null,
  summary: null,
  summary_origin: null,
} as const;

export const outlineColumns = ({ title, isStated, summary }: Outline) => ({
  shown_title: title,
  title_origin: isStated ? ('stated' as const) : ('drawn' as const),
  summary,
  summary_origin: summary === null ? null : ('drawn' as const),
});
