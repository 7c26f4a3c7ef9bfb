// Visits the lines of a text without an array of them (a hostile text has millions of lines).

/** Normalises line ends and removes the byte order mark. */
export const unixLines = (text: string): string => {
  const bare = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return bare.includes('\r') ? bare.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : bare;
};

/** Calls `visit` with each line's range, its end without the line feed, until it returns false. */
export const eachLine = (
  text: string,
  visit: (start: number, end: number) => boolean | undefined,
  from = 0,
  to = text.length,
): void => {
  let start = from;
  while (start < to) {
    const feed = text.indexOf('\n', start);
    const end = feed < 0 || feed > to ? to : feed;
    if (visit(start, end) === false) return;
    start = end + 1;
  }
};

/** The first non-blank character at or after `from`, or `to`. */
export const skipBlank = (text: string, from: number, to = text.length): number => {
  let at = from;
  while (at < to && isBlankCode(text.charCodeAt(at))) at++;
  return at;
};

/** The end of the text in [from, to) without its trailing blanks. */
export const trimEnd = (text: string, from: number, to: number): number => {
  let at = to;
  while (at > from && isBlankCode(text.charCodeAt(at - 1))) at--;
  return at;
};

export const isBlankLine = (text: string, start: number, end: number): boolean =>
  skipBlank(text, start, end) === end;

/** The characters that `String.prototype.trim` removes, so that both agree. */
const isBlankCode = (code: number): boolean => {
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13);
  if (code < 0xa0) return false;
  return (
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
  );
};

/** Never between the two halves of a surrogate pair. */
export const wholeCharacter = (text: string, at: number): number => {
  const low = text.charCodeAt(at);
  if (low < 0xdc00 || low > 0xdfff || at === 0) return at;
  const high = text.charCodeAt(at - 1);
  return high >= 0xd800 && high <= 0xdbff ? at - 1 : at;
};
