// Text for terminals: wrapped, aligned, and harmless.

/** Stored texts come from anywhere: their control characters must not steer the terminal. */
export const tame = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, ' ');

/** Characters that take two columns: East Asian scripts and most emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : 1;
  return width;
}

/** A word that is longer than a line, in pieces. */
function* pieces(word: string, width: number): Generator<string> {
  let piece = '';
  for (const character of word) {
    if (piece !== '' && widthOf(piece + character) > width) {
      yield piece;
      piece = '';
    }
    piece += character;
  }
  yield piece;
}

/** The words of one paragraph in lines of at most `width` columns. */
function* wrapped(paragraph: string, width: number): Generator<string> {
  let line = '';
  for (const word of paragraph.split(/[ \t]+/).flatMap((each) => [...pieces(each, width)])) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && widthOf(longer) > width) {
      yield line;
      line = word;
    } else line = longer;
  }
  yield line;
}

/** Lines of at most `width` columns; the text's own line breaks stay, blank lines run together. */
export const wrap = (text: string, width: number): string[] =>
  tame(text)
    .replace(/\n\s*\n/g, '\n')
    .trim()
    .split('\n')
    .flatMap((paragraph) => [...wrapped(paragraph.trim(), Math.max(width, 2))]);

/** Rows as aligned columns; the last one is as long as it likes. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, widthOf(cell));
  return rows.map((row) =>
    row
      .map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd(),
  );
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
