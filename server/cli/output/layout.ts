// Lines and columns for a terminal. Loaded only by the commands that print them, because the libraries load slowly.
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { withoutControls } from './text.ts';

/** Lines of at most `width` columns. Line breaks of the text stay, blank lines are removed. */
export const wrap = (text: string, width: number): string[] =>
  withoutControls(text)
    .replace(/\n\s*\n/g, '\n')
    .replace(/[ \t]+/g, ' ')
    .trim()
    .split('\n')
    .flatMap((paragraph) => wrapAnsi(paragraph, Math.max(width, 2), { hard: true }).split('\n'));

/** Rows as aligned columns; the last column has no width limit. */
export const alignedTable = (rows: readonly (readonly string[])[]): string[] => {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, stringWidth(cell));
  return rows.map((row) =>
    row
      .map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - stringWidth(cell)))
      .join('  ')
      .trimEnd(),
  );
};
