// Finds the start and end of a JSON value and its members without parsing: for values inside other text, and for splicing.

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The end of the array or object that opens at `open`, or -1 if it is never closed. Linear. */
export const valueEnd = (text: string, open: number): number => {
  let end = -1;
  walkBrackets(
    text,
    open,
    () => undefined,
    (at) => {
      end = at + 1;
    },
  );
  return end;
};

/** The top-level members of the array or object that opens at `open`, without blanks around them. */
export const membersOf = (text: string, open: number): Range[] => {
  const members: Range[] = [];
  let from = open + 1;
  const close = (at: number) => {
    const start = from + (/\S/.exec(text.slice(from, Math.min(at, from + 4_096)))?.index ?? 0);
    const end = text.slice(start, at).trimEnd().length + start;
    if (end > start) members.push({ start, end });
    from = at + 1;
  };
  walkBrackets(text, open, close, close);
  return members;
};

/** Visits the commas of the outermost level and its closing bracket. */
const walkBrackets = (
  text: string,
  open: number,
  comma: (at: number) => void,
  close: (at: number) => void,
): void => {
  const marks = /["[\]{},]/g;
  marks.lastIndex = open;
  let depth = 0;
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    const mark = found[0];
    if (mark === '"') {
      const end = stringEnd(text, found.index);
      if (end < 0) return;
      marks.lastIndex = end;
    } else if (mark === '[' || mark === '{') depth++;
    else if (mark === ',') {
      if (depth === 1) comma(found.index);
    } else if (--depth === 0) {
      close(found.index);
      return;
    }
  }
};

const stringEnd = (text: string, quote: number): number => {
  let at = text.indexOf('"', quote + 1);
  while (at >= 0) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return at + 1;
    at = text.indexOf('"', at + 1);
  }
  return -1;
};

/** Returns undefined for text that is not JSON; no JSON value is undefined. */
export const tryParseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
