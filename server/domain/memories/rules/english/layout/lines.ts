// The lines of a note with what their marks say: headings, list items, lines with a label.

export interface Line {
  readonly text: string;
  readonly isItem: boolean;
  /** True for a short line before a list: "Food", "Action items:". */
  readonly isHeading: boolean;
}

export interface Labelled {
  readonly label: string;
  readonly value: string;
}

const ITEM = /^\s*(?:[-*•+]|\d{1,3}[.)])\s+(?:\[[ x]\]\s+)?/i;
const MOST_HEADING_WORDS = 5;
const HEADING = /^\s*(?:#{1,6}\s+)?(?:\*\*|__)?(?<words>\p{L}[^.!?:,;\n]{1,40}?)\s*:?(?:\*\*|__)?:?\s*$/u;
const LABEL = /^(?<label>\p{L}[^:.!?,;\n]{0,40}?)(?:: | - | [–—] )(?<value>\S.*)$/u;

export const headingIn = (line: string): string | null => {
  const words = HEADING.exec(line)?.groups?.words;
  return words !== undefined && words.split(/\s+/).length <= MOST_HEADING_WORDS ? words : null;
};

/** The text before and behind the colon or dash of a line; a dash counts in a list alone. */
export const labelIn = ({ text, isItem }: Line): Labelled | null => {
  const { label, value } = LABEL.exec(text)?.groups ?? {};
  if (label === undefined || value === undefined) return null;
  return isItem || text.startsWith(`${label}:`) ? { label, value: value.replace(/\.$/, '') } : null;
};

/** Marks are removed from items alone; all other lines stay as written. */
export const linesOf = (text: string): Line[] => {
  const written = text.split('\n');
  const filled = written.filter((line) => line.trim() !== '');
  let at = -1;
  return written.map((line) => {
    if (line.trim() !== '') at++;
    const isItem = ITEM.test(line);
    const next = filled[at + 1] ?? '';
    const leads = ITEM.test(next) || (/:\W*$/.test(line) && LABEL.test(next));
    return {
      text: isItem ? line.replace(ITEM, '') : line,
      isItem,
      isHeading: !isItem && leads && headingIn(line) !== null,
    };
  });
};
