// The columns of the title and the summary that a document is shown with.
import { sql } from '#kysely';
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

/**
 * The same as text, for the parameters $17 to $20 in their order. $21 is 1: the text was only added to, so a title and a summary
 * that a model wrote stay; a title that the text states now takes the place of a written one.
 */
export const OUTLINE_ASSIGNMENTS = `
  shown_title = case when $21 = 1 and title_origin = 'written' and $18 <> 'stated' then shown_title else $17 end,
  title_origin = case when $21 = 1 and title_origin = 'written' and $18 <> 'stated' then title_origin else $18 end,
  summary = case when $21 = 1 and summary_origin = 'written' then summary else $19 end,
  summary_origin = case when $21 = 1 and summary_origin = 'written' then summary_origin else $20 end`;
